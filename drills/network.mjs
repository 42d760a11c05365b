// Networks between the service and PostgreSQL that fail: connections that lead nowhere without a word, a stall, a reset.
import { createLoad } from "./harness/load.mjs";
import { mustRecover, watchHealth } from "./harness/outage.mjs";
import { clients } from "./harness/pace.mjs";
import { injected, must, sayCounts, sayVerified, unforeseen } from "./harness/report.mjs";
import { createNode, database, sleep } from "./harness/service.mjs";
import { verify } from "./harness/verify.mjs";
import { startWire } from "./harness/wire.mjs";

export const summary = "connections to PostgreSQL that die silently, stall for 10 s, are reset";

export async function drill() {
  const wire = await startWire((await database()).url);
  const node = await createNode({ databaseUrl: wire.url });
  await node.start();
  const load = createLoad(node.url);
  const running = clients(load, { amount: 16 });
  const health = watchHealth(node.url);
  await sleep(6_000);

  injected(`${wire.forget()} connections lead nowhere from now on, without a word; new ones work`);
  // Eight seconds of silence, and as much again for what waited for a connection that proves dead.
  await mustRecover(load, { limit: 25, after: "the silent end" });
  await sleep(4_000);

  wire.stall(true);
  injected("nothing moves for 10 s, nothing is lost");
  await sleep(10_000);
  wire.stall(false);
  await mustRecover(load, { limit: 15, after: "the stall" });
  await sleep(3_000);

  injected(`${wire.reset()} connections are reset`);
  await mustRecover(load, { limit: 10, after: "the reset" });
  await sleep(2_000);
  await running.stop();

  must(`/healthz answered throughout, within ${await health.stop()} ms`, (await health.stop()) < 2_000);
  sayCounts(load);
  const wrong = unforeseen(load);
  must(`requests failed with 503 alone${wrong.length ? `: ${wrong.join(", ")}` : ""}`, wrong.length === 0);
  sayVerified(await verify(load));
}
