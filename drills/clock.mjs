// Tests wrong clocks: two hours ahead at the first start, set back at run time, restarted; and two nodes 5 s apart.
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startBalancer } from "./harness/balancer.mjs";
import { createLoad } from "./harness/load.mjs";
import { clients } from "./harness/pace.mjs";
import { cannotRun, injected, must, say, sayCounts, sayVerified } from "./harness/report.mjs";
import { createNode, database, sleep, temporaryFolder } from "./harness/service.mjs";
import { verify } from "./harness/verify.mjs";

export const summary = "a clock two hours ahead that is set back, and two nodes whose clocks differ by 5 s";

/** Milliseconds, longer than libfaketime caches the time of its file. */
const NOTICED = 2_500;

export async function drill() {
  const library = findLibrary();
  say("\nset back by two hours");
  await steps(library);
  say("\ntwo nodes, 5 s apart");
  await skew(library);
}

async function steps(library) {
  const clock = createClock(library, "+7200");
  const node = await createNode({ env: clock.env });
  await node.start();
  injected(`first start, with the clock ${await ahead(node)} s ahead`);
  const load = createLoad(node.url);
  await under(load, 5_000);
  clock.set("+0");
  await sleep(NOTICED);
  injected(`set back while it runs: now ${await ahead(node)} s ahead`);
  await under(load, 5_000);
  await node.stop();
  await node.start();
  injected("restarted with the right time");
  await under(load, 3_000);
  must("no request failed", sayCounts(load) === 0);
  sayVerified(await verify(load));
  await node.stop();
}

async function skew(library) {
  const { url: databaseUrl } = await database();
  const balancer = await startBalancer();
  const offsets = ["+5", "-0"];
  for (const offset of offsets) {
    const node = await createNode({ databaseUrl, issuer: balancer.url, env: createClock(library, offset).env });
    await node.start();
    injected(`a node ${await ahead(node)} s ahead`);
    balancer.add(node.port);
  }
  const load = createLoad(balancer.url);
  await under(load, 8_000);
  must("no request failed", sayCounts(load) === 0);
  sayVerified(await verify(load));
}

async function under(load, milliseconds) {
  const running = clients(load, { amount: 8 });
  await sleep(milliseconds);
  await running.stop();
}

/** Returns how far a node's clock is ahead of ours in seconds, by the Date header of its response. */
async function ahead(node) {
  const { headers } = await fetch(`http://localhost:${node.port}/healthz`);
  return Math.round((Date.parse(headers.get("date")) - Date.now()) / 1000);
}

function createClock(library, offset) {
  const file = join(temporaryFolder(), "clock");
  const set = (value) => writeFileSync(file, `${value}\n`);
  set(offset);
  const env = {
    LD_PRELOAD: library,
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_CACHE_DURATION: "1",
    FAKETIME_DONT_FAKE_MONOTONIC: "1", // as if an operator set the clock
    DONT_FAKE_MONOTONIC: "1", // its older name
  };
  return { env, set };
}

function findLibrary() {
  const folders = ["/usr/lib", "/usr/lib64", "/usr/local/lib"].filter((folder) => existsSync(folder));
  const paths = folders.flatMap((folder) => [folder, ...readdirSync(folder).map((name) => join(folder, name))]);
  const found = paths.map((path) => join(path, "faketime", "libfaketimeMT.so.1")).find((path) => existsSync(path));
  if (!found) throw cannotRun("libfaketime is missing: apt-get install faketime");
  return found;
}
