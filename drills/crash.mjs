// Kills the service (kill -9) repeatedly under load, on each database, while responses are on their way to clients.
import { createLoad } from "./harness/load.mjs";
import { clients } from "./harness/pace.mjs";
import { injected, must, say, sayCounts, sayVerified, unforeseen } from "./harness/report.mjs";
import { createNode, database, sleep } from "./harness/service.mjs";
import { verify } from "./harness/verify.mjs";
import { startWire } from "./harness/wire.mjs";

export const summary = "kill -9 under load on each database, for longer than the grace of refresh tokens";
export const defaults = { times: 3, pause: 12, on: "sqlite,postgresql" };

/** The number of clients that refresh, so that rotations are in progress at each kill. */
const REFRESHING = 8;
/**
 * Milliseconds for which responses are held back before a kill: the work is committed by then, and no client knows it.
 */
const HELD = 1_500;

export async function drill({ times, pause, on }) {
  for (const kind of on.split(",")) {
    say(`\n${kind}`);
    const databaseUrl = kind === "postgresql" ? (await database()).url : undefined;
    const wire = await startWire("http://localhost:1");
    const issuer = wire.url.replace(/\/$/, "");
    const node = await createNode({ databaseUrl, issuer });
    wire.lead(`http://localhost:${node.port}`);
    await crash(node, wire, { times, pause: pause * 1000 });
  }
}

/**
 * Crashes a node.
 * @param {{ times: number, pause: number }} options pause: milliseconds before it is started again
 */
async function crash(node, wire, { times, pause }) {
  await node.start();
  const load = createLoad(node.url);
  const running = clients(load, { amount: 12 });
  while (load.memory.families.length < 2 * REFRESHING) await sleep(100);
  const refreshing = clients(load, { amount: REFRESHING, mix: ["refresh"], pause: 50 });
  let inDoubt = 0;
  for (let time = 1; time <= times; time++) {
    await sleep(4_000);
    const before = load.memory.inDoubt;
    wire.hold(true);
    await sleep(HELD);
    await node.kill();
    wire.reset();
    wire.hold(false);
    await sleep(100);
    inDoubt += load.memory.inDoubt - before;
    await sleep(pause);
    const startedAt = Date.now();
    await node.start();
    await load.comeAgain();
    const seconds = ((Date.now() - startedAt) / 1000).toFixed(1);
    injected(`kill -9, number ${time}, after ${pause / 1000} s started again; ready after ${seconds} s`);
  }
  await sleep(2_000);
  await Promise.all([running.stop(), refreshing.stop()]);
  sayCounts(load);
  must(`${inDoubt} rotations of refresh tokens were in doubt`, inDoubt >= times);
  must("requests failed only by broken connections, or with 503", unforeseen(load).length === 0);
  sayVerified(await verify(load));
  await node.stop();
}
