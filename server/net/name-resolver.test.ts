import dgram from "node:dgram";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type NameResolver, openResolver } from "./name-resolver";

const [A, AAAA] = [1, 28];
/** Addresses by name. Names in `silent.test` get no response. */
const records: Readonly<Record<string, Partial<Record<number, string>>>> = {
  "mail.test": { [A]: "01020304", [AAAA]: "20010db8000000000000000000000001" },
  "old.test": { [A]: "05060708" },
};
const [NAME_ERROR, SERVER_FAILURE] = [3, 2];

/** Returns the response to a query (RFC 1035 §4.1). */
function answerTo(message: Buffer): Buffer | undefined {
  const labels: string[] = [];
  let at = 12;
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.toString("latin1", at + 1, at + 1 + length));
    at += 1 + length;
  }
  const name = labels.join(".");
  if (name.endsWith("silent.test")) return undefined;
  const type = message.readUInt16BE(at + 1);
  const data = records[name]?.[type];
  const code = name === "broken.test" ? SERVER_FAILURE : records[name] ? 0 : NAME_ERROR;
  const head = Buffer.from(message.subarray(0, 12));
  head.writeUInt16BE(0x8180 | code, 2);
  for (const [offset, count] of [1, data ? 1 : 0, 0, 0].entries()) head.writeUInt16BE(count, 4 + 2 * offset);
  const length = (data?.length ?? 0) / 2;
  const record = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, length]);
  return Buffer.concat([head, message.subarray(12, at + 5), ...(data ? [record, Buffer.from(data, "hex")] : [])]);
}

describe("host names", () => {
  const server = dgram.createSocket("udp4");
  const folder = mkdtempSync(join(tmpdir(), "hosts-"));
  let resolver: NameResolver;
  beforeAll(async () => {
    server.on("message", (message, { port, address }) => {
      const answer = answerTo(message);
      if (answer) server.send(answer, port, address);
    });
    server.bind(0, "127.0.0.1");
    await once(server, "listening");
    const hostsFile = join(folder, "hosts");
    writeFileSync(hostsFile, "# ours\n10.1.1.1 relay.internal Relay # by the cable\n\nnonsense\n");
    resolver = openResolver({ servers: [`127.0.0.1:${(server.address() as AddressInfo).port}`], hostsFile });
  });
  afterAll(() => {
    server.close();
    rmSync(folder, { recursive: true });
  });

  it("are resolved while any number of other lookups are pending", async () => {
    let isAnyOver = false;
    const silent = Array.from({ length: 50 }, (_, index) =>
      resolver.addresses(`${index}.silent.test`).then(
        () => [],
        (error) => error.code,
      ),
    );
    void Promise.race(silent).then(() => {
      isAnyOver = true;
    });
    expect(await resolver.addresses("old.test")).toEqual([{ address: "5.6.7.8", family: 4 }]);
    expect(isAnyOver).toBe(false);
    expect(new Set(await Promise.all(silent))).toEqual(new Set(["ETIMEOUT"]));
  }, 120_000);

  it("have addresses of both families", async () => {
    expect(await resolver.addresses("mail.test")).toHaveLength(2);
    expect(await resolver.addresses("mail.test")).toContainEqual({ address: "2001:db8::1", family: 6 });
  });

  it("have no addresses if they do not exist, which differs from no response", async () => {
    expect(await resolver.addresses("nobody.test")).toEqual([]);
    await expect(resolver.addresses("broken.test")).rejects.toMatchObject({ code: "ESERVFAIL" });
  });

  it.each([
    ["RELAY.internal", [{ address: "10.1.1.1", family: 4 }]],
    ["192.0.2.1", [{ address: "192.0.2.1", family: 4 }]],
    ["[2001:db8::2]", [{ address: "2001:db8::2", family: 6 }]],
    [
      "localhost",
      [
        { address: "127.0.0.1", family: 4 },
        { address: "::1", family: 6 },
      ],
    ],
  ])("are resolved without a query if they are local: %s", async (host, addresses) => {
    expect(await resolver.addresses(host)).toEqual(addresses);
  });
});
