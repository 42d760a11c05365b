// PostgreSQL with a synchronous standby: the primary is killed, the standby is promoted, and connections lead to it.
import pg from "pg";
import { createLoad } from "./harness/load.mjs";
import { mustRecover } from "./harness/outage.mjs";
import { clients } from "./harness/pace.mjs";
import { injected, must, say, sayCounts, sayVerified, unforeseen } from "./harness/report.mjs";
import { createNode, database, sleep } from "./harness/service.mjs";
import { verify } from "./harness/verify.mjs";
import { startWire } from "./harness/wire.mjs";

export const summary = "PostgreSQL with a synchronous standby, its primary killed, the standby promoted";

export async function drill() {
  const primary = await database();
  const standby = await database({ standbyOf: primary.url });
  await waitForStandby(primary.url);
  const wire = await startWire(primary.url);
  const node = await createNode({ databaseUrl: wire.url });
  await node.start();

  const load = createLoad(node.url);
  const running = clients(load, { amount: 12 });
  await sleep(8_000);
  process.kill(primary.pid, "SIGKILL");
  injected("the primary is killed (kill -9)");
  await sleep(3_000);
  await query(standby.url, "SELECT pg_promote()");
  wire.lead(standby.url);
  injected("the standby is promoted, and new connections lead to it");
  await mustRecover(load, { limit: 20, after: "the promotion" });
  await sleep(4_000);
  await running.stop();

  sayCounts(load);
  const wrong = unforeseen(load);
  must(`requests failed with 503 alone${wrong.length ? `: ${wrong.join(", ")}` : ""}`, wrong.length === 0);
  sayVerified(await verify(load));
}

/** Makes commits wait until the standby has written them to disk. */
async function waitForStandby(url) {
  await query(url, "ALTER SYSTEM SET synchronous_standby_names = '*'");
  await query(url, "SELECT pg_reload_conf()");
  const isSynchronous = async () => {
    const [{ amount }] = await query(
      url,
      "SELECT count(*)::int AS amount FROM pg_stat_replication WHERE sync_state = 'sync'",
    );
    return amount === 1;
  };
  while (!(await isSynchronous())) await sleep(100);
  say("  the standby is synchronous");
}

async function query(url, sql) {
  const db = new pg.Client({ connectionString: url });
  await db.connect();
  try {
    return (await db.query(sql)).rows;
  } finally {
    await db.end();
  }
}
