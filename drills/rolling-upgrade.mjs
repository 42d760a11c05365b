// An upgrade without downtime: the previous release serves while this one starts beside it on the same PostgreSQL and
// applies its migrations; then both serve, then this one alone.
import { startBalancer } from "./harness/balancer.mjs";
import { createLoad } from "./harness/load.mjs";
import { clients } from "./harness/pace.mjs";
import { buildPrevious } from "./harness/previous.mjs";
import { injected, must, say, sayCounts, sayLog, sayVerified } from "./harness/report.mjs";
import { createNode, database, sleep } from "./harness/service.mjs";
import { verify } from "./harness/verify.mjs";

export const summary = "the previous release and this one on one PostgreSQL, both under load";
export const defaults = { seconds: 10, previous: "" };

export async function drill({ seconds, previous }) {
  const pause = seconds * 1000;
  const old = buildPrevious(previous);
  say(`  from ${old.name} to this checkout`);
  const { url: databaseUrl } = await database();
  const balancer = await startBalancer();
  const one = (more) => createNode({ databaseUrl, issuer: balancer.url, ...more });
  // A setting that the previous release does not know would stop it.
  const before = await one({ from: old.folder, env: { SHUTDOWN_NOTICE: undefined } });
  const after = await one({});

  await before.start();
  balancer.add(before.port);
  const load = createLoad(balancer.url);
  const running = clients(load, { amount: 8 });
  await sleep(pause);
  injected("this release starts and migrates, while the previous one serves");
  await after.start();
  injected("both serve");
  balancer.add(after.port);
  await sleep(pause);
  await balancer.remove(before.port);
  injected(`the previous release is stopped: status ${await before.stop()}`);
  await sleep(pause);
  await running.stop();

  const failed = sayCounts(load);
  say(
    `requests to the previous release: ${balancer.served.get(before.port)}, to this one: ${balancer.served.get(after.port)}`,
  );
  must("no request failed", failed === 0);
  if (failed > 0) sayLog({ "the previous release": before, "this one": after });
  sayVerified(await verify(load));
}
