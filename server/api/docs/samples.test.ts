/** The commands of the page about authentication, run as they are. */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { exportPKCS8 } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { byKeyFile, bySecret, firstCall, withKeyFile } from "../../../components/docs/samples";
import { type ServiceOnAPort, serviceOnAPort } from "../../testing/on-a-port";
import { MACHINE_SECRET, machineKey, SERVICE_SCOPE, tokenBootstrap } from "../../testing/token-example";

describe("the commands of the page about authentication", () => {
  let service: ServiceOnAPort;
  const folder = mkdtempSync(path.join(tmpdir(), "authentication-"));
  beforeAll(async () => {
    service = await serviceOnAPort(tokenBootstrap);
    const key = { type: "serviceaccount", keyId: "k1", userId: "m-ci", key: await exportPKCS8(machineKey.privateKey) };
    writeFileSync(path.join(folder, "key.json"), JSON.stringify(key));
    writeFileSync(path.join(folder, "token.mjs"), byKeyFile(service.origin, SERVICE_SCOPE));
  });
  afterAll(async () => {
    await service.close();
    rmSync(folder, { recursive: true });
  });

  /** What the commands print. */
  const run = (commands: string) =>
    new Promise<string>((resolve) => {
      const shell = spawn("bash", ["-euo", "pipefail", "-c", commands], { cwd: folder });
      let printed = "";
      shell.stdout.on("data", (part) => {
        printed += part;
      });
      shell.on("close", () => resolve(printed));
    });

  it.each([
    [
      "a secret",
      () =>
        bySecret(service.origin, SERVICE_SCOPE)
          .replace("CLIENT_ID=…", "CLIENT_ID=ci")
          .replace("CLIENT_SECRET=…", `CLIENT_SECRET=${MACHINE_SECRET}`),
    ],
    ["a key file", () => withKeyFile],
  ])("get a token by %s and make the first call", async (_, token) => {
    const answer = JSON.parse(await run(`${token()}\n${firstCall(service.origin)}`));
    expect(answer.user).toMatchObject({ id: "m-ci", userName: "ci" });
  });
});
