// Network faults between one of two nodes and PostgreSQL: connections that silently lead nowhere, lost responses, a
// stall, a reset, and sessions that stay read-only.
import pg from "pg";
import { startBalancer } from "./harness/balancer.mjs";
import { createLoad } from "./harness/load.mjs";
import { mustRecover, mustSettle, watchHealth } from "./harness/outage.mjs";
import { clients } from "./harness/pace.mjs";
import { injected, must, sayCounts, sayLog, sayVerified, unforeseen } from "./harness/report.mjs";
import { createNode, database, sleep } from "./harness/service.mjs";
import { verify } from "./harness/verify.mjs";
import { startWire } from "./harness/wire.mjs";

export const summary =
  "one of two nodes whose connections to PostgreSQL die silently, lose answers, stall, are reset, stay read-only";
export const defaults = { rotations: 200, workers: 2 };

/** The name of a response, as it is bound to the statement of a rotation. */
const ROTATION = /[\w-]{12}:\d{13}/;
/** The number of clients that refresh while responses are lost, and the seconds for it. */
const [REFRESHING, PATIENCE] = [60, 180];
/** The limit for /healthz in milliseconds, and its maximum ratio to the time before the first fault. */
const [HEALTHY, SLOWER] = [2_000, 5];

export async function drill({ rotations, workers }) {
  const { url } = await database();
  const balancer = await startBalancer();
  const wire = await startWire(url);
  const nodes = await Promise.all(
    [wire.url, url].map((databaseUrl) =>
      createNode({ databaseUrl, issuer: balancer.url, env: { WORKERS: String(workers) } }),
    ),
  );
  for (const node of nodes) {
    await node.start();
    balancer.add(node.port);
  }
  const load = createLoad(balancer.url);
  const running = clients(load, { amount: 16 });
  const health = watchHealth(balancer.url);
  await sleep(8_000);
  const calm = health.longest();

  injected(`${wire.forget()} connections of a node lead nowhere from now on, without a word; new ones work`);
  await mustRecover(load, { limit: 25, after: "the silent end" });
  // Eight seconds without data, and as much again for requests that waited for a connection that proves dead.
  await mustSettle(load, { limit: 25, after: "that" });

  await loseAnswers(load, wire, rotations);

  wire.stall(true);
  injected("nothing moves for 10 s at that node, nothing is lost");
  await sleep(10_000);
  wire.stall(false);
  await mustSettle(load, { limit: 20, after: "the stall" });

  injected(`${wire.reset()} connections are reset`);
  await mustSettle(load, { limit: 15, after: "the reset" });

  await keepReadOnly(url, wire);
  await mustSettle(load, { limit: 15, after: "that" });
  await running.stop();

  const limit = Math.max(HEALTHY, SLOWER * calm);
  const longest = await health.stop();
  must(`/healthz answered throughout, within ${longest} ms (${calm} ms before)`, longest < limit);
  sayCounts(load);
  const wrong = unforeseen(load);
  must(`requests failed with 503 alone${wrong.length ? `: ${wrong.join(", ")}` : ""}`, wrong.length === 0);
  if (wrong.length > 0) sayLog(nodes);
  sayVerified(await verify(load));
}

/** Commits rotations whose responses never arrive. The balancer sends the retries to either node. */
async function loseAnswers(load, wire, rotations) {
  while (load.memory.families.length < REFRESHING) await load.flows.code();
  const before = load.memory.inDoubt;
  const inDoubt = () => load.memory.inDoubt - before;
  const startedAt = Date.now();
  wire.swallow(ROTATION);
  injected("rotations of refresh tokens are committed at that node, and their answers get lost");
  const refreshing = clients(load, { amount: REFRESHING, mix: ["refresh"], pause: 100 });
  while (inDoubt() < rotations && Date.now() - startedAt < PATIENCE * 1000) await sleep(100);
  wire.swallow(undefined);
  await refreshing.stop();
  await mustSettle(load, { limit: 25, after: "the last lost answer" });
  must(`${inDoubt()} rotations were in doubt`, inDoubt() >= rotations);
  must(`no family was lost by them (${load.memory.lost.length})`, load.memory.lost.length === 0);
}

/** Makes the sessions of a node read-only while new ones can write, as after a switchover that keeps sessions open. */
async function keepReadOnly(url, wire) {
  const name = new URL(url).pathname.slice(1);
  await query(url, `ALTER DATABASE "${name}" SET default_transaction_read_only = on`);
  const amount = wire.reset();
  await sleep(3_000);
  await query(url, `ALTER DATABASE "${name}" RESET default_transaction_read_only`);
  injected(`in place of ${amount} connections of that node there are read-only ones; new ones can write`);
}

async function query(url, sql) {
  const db = new pg.Client({ connectionString: url });
  await db.connect();
  await db.query("SET default_transaction_read_only = off");
  await db.query(sql).finally(() => db.end());
}
