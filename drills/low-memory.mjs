// Load on a service with a low memory limit.
import { residentMemory } from "../bench/accounting.mjs";
import { createLoad } from "./harness/load.mjs";
import { clients } from "./harness/pace.mjs";
import { injected, must, sayCounts, sayVerified } from "./harness/report.mjs";
import { createNode, database, sleep } from "./harness/service.mjs";
import { verify } from "./harness/verify.mjs";

export const summary = "a heap of 128 MB under load";
export const defaults = { seconds: 60, heap: 128, on: "sqlite" };

export async function drill({ seconds, heap, on }) {
  const databaseUrl = on === "postgresql" ? (await database()).url : undefined;
  const node = await createNode({ databaseUrl, env: { NODE_OPTIONS: `--max-old-space-size=${heap}` } });
  await node.start();
  const load = createLoad(node.url);
  const running = clients(load, { amount: 16 });
  const pid = node.pid();
  for (let part = 0; part < 5; part++) {
    await sleep(seconds * 200);
    injected(`resident memory ${(residentMemory(pid) / 2 ** 20).toFixed(0)} MB`);
  }
  await running.stop();
  must("no request failed", sayCounts(load) === 0);
  must("the process is the one that was started", residentMemory(pid) > 0);
  sayVerified(await verify(load));
}
