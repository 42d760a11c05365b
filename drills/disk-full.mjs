// The disk of the embedded database is full for a while.
import { execFileSync } from "node:child_process";
import { closeSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { createLoad } from "./harness/load.mjs";
import { mustRecover } from "./harness/outage.mjs";
import { clients } from "./harness/pace.mjs";
import { cannotRun, injected, must, sayCounts, sayVerified, unforeseen } from "./harness/report.mjs";
import { atEnd, createNode, sleep, temporaryFolder, until } from "./harness/service.mjs";
import { verify } from "./harness/verify.mjs";

export const summary = "a full disk below the embedded database, for some seconds (needs root, for a tmpfs of 64 MB)";

export async function drill() {
  const folder = smallDisk();
  const node = await createNode({ folder });
  await node.start();
  const load = createLoad(node.url);
  const running = clients(load, { amount: 8 });
  await sleep(5_000);

  const filler = join(folder, "filler");
  fill(filler);
  injected("the disk is full");
  const noticed = await until(node, 503).catch(() => undefined);
  must(`/readyz says 503 (after ${noticed} ms)`, noticed !== undefined);
  const read = () => load.counts.get("introspection").answered;
  const before = read();
  await sleep(6_000);
  must(`introspection goes on: ${read() - before} answers`, read() > before);
  rmSync(filler);
  injected("there is room again");
  await mustRecover(load, { limit: 10, after: "that" });
  await until(node);
  await sleep(2_000);
  await running.stop();

  sayCounts(load);
  const wrong = unforeseen(load);
  must(`requests failed with 503 alone${wrong.length ? `: ${wrong.join(", ")}` : ""}`, wrong.length === 0);
  await node.stop();
  await node.start();
  injected("started again");
  sayVerified(await verify(load));
  await node.stop();
}

function smallDisk() {
  const folder = temporaryFolder();
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=64m", "tmpfs", folder], { stdio: ["ignore", "ignore", "pipe"] });
  } catch (error) {
    throw cannotRun(`a small disk cannot be mounted here: ${String(error.stderr ?? error.message).trim()}`);
  }
  atEnd(() => execFileSync("umount", ["--lazy", folder]));
  return folder;
}

function fill(file) {
  const out = openSync(file, "w");
  try {
    for (const size of [1 << 20, 4096]) writeUntilFull(out, Buffer.alloc(size));
  } finally {
    closeSync(out);
  }
}

function writeUntilFull(out, chunk) {
  try {
    for (;;) writeSync(out, chunk);
  } catch (error) {
    if (error.code !== "ENOSPC") throw error;
  }
}
