import { execFileSync } from "node:child_process";
import { randomInt } from "node:crypto";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { createServer } from "node:net";
import { expect, it } from "vitest";
import { inProject } from "./environment.mjs";
import { freePort } from "./free-port.mjs";

/** Returns a function that draws these ports before any other. */
const first =
  (...ports: number[]) =>
  () =>
    ports.shift() ?? randomInt(20_000, 30_000);

it("a free port is given to no other caller, in this process or another, even while nothing listens on it", async () => {
  const port = await freePort();
  expect(await freePort(first(port))).not.toBe(port);
  const claim = `const s = require("node:dgram").createSocket("udp4");
    s.on("error", ({ code }) => { console.log(code); s.close(); }).bind(${port}, "127.0.0.1", () => s.close());`;
  expect(execFileSync(process.execPath, ["-e", claim], { encoding: "utf8" }).trim()).toBe("EADDRINUSE");
});

it("a port with a listener is not given as a free port", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const taken = (server.address() as { port: number }).port;
  expect(await freePort(first(taken))).not.toBe(taken);
  // The claim of the rejected port is released.
  const again = createSocket("udp4").bind(taken, "127.0.0.1");
  await once(again, "listening");
  again.close();
  server.close();
});

it("the claim of a port does not keep the process alive", () => {
  const code = `import(${JSON.stringify(inProject("scripts/free-port.mjs"))}).then((m) => m.freePort()).then(console.log)`;
  const told = execFileSync(process.execPath, ["-e", code], { encoding: "utf8", timeout: 60_000 });
  expect(Number(told)).toBeGreaterThan(0);
});
