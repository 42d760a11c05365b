import { execFileSync } from "node:child_process";
import { randomInt } from "node:crypto";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { createServer } from "node:net";
import { expect, it } from "vitest";
import { inProject } from "./environment.mjs";
import { freePort } from "./free-port.mjs";

/** Draws these before any other. */
const first =
  (...ports: number[]) =>
  () =>
    ports.shift() ?? randomInt(20_000, 30_000);

it("a free port is told to nobody else, in this process or another, also while nothing listens there", async () => {
  const port = await freePort();
  expect(await freePort(first(port))).not.toBe(port);
  const claim = `const s = require("node:dgram").createSocket("udp4");
    s.on("error", ({ code }) => { console.log(code); s.close(); }).bind(${port}, "127.0.0.1", () => s.close());`;
  expect(execFileSync(process.execPath, ["-e", claim], { encoding: "utf8" }).trim()).toBe("EADDRINUSE");
});

it("a free port is none where somebody listens", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const taken = (server.address() as { port: number }).port;
  expect(await freePort(first(taken))).not.toBe(taken);
  // What was claimed for it is given back.
  const again = createSocket("udp4").bind(taken, "127.0.0.1");
  await once(again, "listening");
  again.close();
  server.close();
});

it("a claim keeps no process from ending", () => {
  const code = `import(${JSON.stringify(inProject("scripts/free-port.mjs"))}).then((m) => m.freePort()).then(console.log)`;
  const told = execFileSync(process.execPath, ["-e", code], { encoding: "utf8", timeout: 60_000 });
  expect(Number(told)).toBeGreaterThan(0);
});
