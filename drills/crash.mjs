// kill -9 of the service under load, again and again, on each database.
import { createLoad } from "./harness/load.mjs";
import { clients } from "./harness/pace.mjs";
import { injected, must, say, sayCounts, sayVerified, unforeseen } from "./harness/report.mjs";
import { createNode, database, sleep } from "./harness/service.mjs";
import { verify } from "./harness/verify.mjs";

export const summary = "kill -9 under load on each database";
export const defaults = { times: 5, pause: 0, on: "sqlite,postgresql" };

export async function drill({ times, pause, on }) {
  for (const kind of on.split(",")) {
    say(`\n${kind}`);
    const databaseUrl = kind === "postgresql" ? (await database()).url : undefined;
    await crash(await createNode({ databaseUrl }), times, pause * 1000);
  }
}

/** @param {number} pause milliseconds for which nobody starts it again */
async function crash(node, times, pause) {
  await node.start();
  const load = createLoad(node.url);
  const running = clients(load, { amount: 12 });
  for (let time = 1; time <= times; time++) {
    await sleep(4_000);
    await node.kill();
    await sleep(pause);
    const startedAt = Date.now();
    await node.start();
    await load.comeAgain();
    injected(`kill -9, number ${time}; ready again after ${((Date.now() - startedAt) / 1000).toFixed(1)} s`);
  }
  await sleep(2_000);
  await running.stop();
  sayCounts(load);
  must("requests failed only by broken connections, or with 503", unforeseen(load).length === 0);
  sayVerified(await verify(load));
  await node.stop();
}
