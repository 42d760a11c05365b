// Two nodes behind haproxy, with the configuration of deploy/haproxy, restarted in turn at 200 requests a second.
import { spawn, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { inProject } from "../scripts/environment.mjs";
import { freePort } from "../scripts/free-port.mjs";
import { createLoad } from "./harness/load.mjs";
import { steady } from "./harness/pace.mjs";
import { cannotRun, injected, must, say, sayCounts, sayVerified } from "./harness/report.mjs";
import { atEnd, createNode, database, sleep, temporaryFolder, until } from "./harness/service.mjs";
import { verify } from "./harness/verify.mjs";

export const summary = "two nodes behind haproxy, restarted in turn under load";
export const defaults = { rate: 200, times: 2 };

const HAPROXY = ["/usr/sbin/haproxy", "haproxy"];
/** Milliseconds until haproxy detects that a node is back: two checks a second apart, and a margin. */
const NOTICED = 3_000;
/** The mix of requests. Most are cheap, so that clients, haproxy, two nodes and the database fit on one machine. */
const MIX = [...Array(12).fill("introspection"), ...Array(4).fill("token"), "refresh", "refresh", "refresh", "code"];

export async function drill({ rate, times }) {
  const program = HAPROXY.find((path) => spawnSync(path, ["-v"]).status === 0);
  if (!program) throw cannotRun("haproxy is missing: apt-get install haproxy");
  const { url: databaseUrl } = await database();
  const port = await freePort();
  const issuer = `http://localhost:${port}`;
  const env = { SHUTDOWN_NOTICE: undefined }; // the default, which the configuration relies on
  const nodes = await Promise.all([0, 1].map(() => createNode({ databaseUrl, issuer, env })));
  for (const node of nodes) await node.start();
  startHaproxy(program, port, nodes);
  await sleep(NOTICED);

  const load = createLoad(issuer);
  await load.flows["sign-in"]();
  const running = steady(load, { perSecond: rate, mix: MIX });
  for (let time = 0; time < times; time++) {
    for (const [index, node] of nodes.entries()) {
      await sleep(NOTICED);
      injected(`node ${index + 1} is stopped`);
      const status = await node.stop();
      await node.start();
      injected(`node ${index + 1} ended with status ${status} and is ready again`);
      await until(node);
      await sleep(NOTICED);
    }
  }
  const { perSecond, skipped } = await running.stop();
  say(`${perSecond.toFixed(0)} requests a second were sent, ${skipped} were not, as 200 waited for their answers`);
  const failed = sayCounts(load);
  must("no request failed", failed === 0);
  sayVerified(await verify(load));
}

/** Starts haproxy with the shipped configuration and the addresses of this machine. */
function startHaproxy(program, port, [a, b]) {
  const file = join(temporaryFolder(), "haproxy.cfg");
  const shipped = readFileSync(inProject("deploy", "haproxy", "haproxy.cfg"), "utf8");
  const here = shipped
    .replace("bind :8080", `bind 127.0.0.1:${port}`)
    .replace("10.0.0.11:8080", `127.0.0.1:${a.port}`)
    .replace("10.0.0.12:8080", `127.0.0.1:${b.port}`);
  writeFileSync(file, here);
  const haproxy = spawn(program, ["-q", "-db", "-f", file], { stdio: "ignore" });
  atEnd(() => haproxy.kill("SIGKILL"));
}
