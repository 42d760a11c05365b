// PgBouncer between the service and PostgreSQL: in session mode the service works, in transaction mode it refuses to
// start.
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { chownSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { freePort } from "../scripts/free-port.mjs";
import { createLoad } from "./harness/load.mjs";
import { clients } from "./harness/pace.mjs";
import { cannotRun, injected, must, say, sayCounts, sayVerified } from "./harness/report.mjs";
import { atEnd, createNode, database, sleep, temporaryFolder } from "./harness/service.mjs";
import { verify } from "./harness/verify.mjs";

export const summary = "PgBouncer in session mode serves, in transaction mode it is refused at start";
export const defaults = { seconds: 15 };

const PROGRAM = ["/usr/sbin/pgbouncer", "pgbouncer"].find((path) => spawnSync(path, ["--version"]).status === 0);

export async function drill({ seconds }) {
  if (!PROGRAM) throw cannotRun("pgbouncer is missing: apt-get install pgbouncer");
  const { url } = await database();
  await session(await startPgbouncer(url, "session"), seconds);
  await transaction(await startPgbouncer(url, "transaction"));
}

async function session(databaseUrl, seconds) {
  const node = await createNode({ databaseUrl });
  await node.start();
  injected("started behind PgBouncer in session mode");
  const load = createLoad(node.url);
  const running = clients(load, { amount: 12 });
  await sleep(seconds * 1000);
  await running.stop();
  must("no request failed", sayCounts(load) === 0);
  sayVerified(await verify(load));
  await node.stop();
}

async function transaction(databaseUrl) {
  const node = await createNode({ databaseUrl });
  const error = await node.start().then(
    () => undefined,
    (reason) => reason.message,
  );
  const line = error?.split("\n").find((one) => one.includes("transaction mode"));
  say(`  in transaction mode: ${line?.slice(0, 400) ?? error ?? "it started"}`);
  must("transaction mode is refused at start, in one line", line !== undefined);
}

async function startPgbouncer(url, mode) {
  const { hostname, port, username } = new URL(url);
  const listen = await freePort();
  const folder = temporaryFolder();
  const file = join(folder, "pgbouncer.ini");
  const lines = [
    "[databases]",
    `* = host=${hostname} port=${port} user=${username}`,
    "[pgbouncer]",
    "listen_addr = 127.0.0.1",
    `listen_port = ${listen}`,
    "unix_socket_dir =",
    "auth_type = any",
    `pool_mode = ${mode}`,
    "default_pool_size = 40",
  ];
  writeFileSync(file, `${lines.join("\n")}\n`);
  const user = unprivileged();
  if (user) for (const path of [folder, file]) chownSync(path, user.uid, user.gid);
  const child = spawn(PROGRAM, [file], { ...user, stdio: "ignore" });
  atEnd(() => child.kill("SIGKILL"));
  for (let tries = 0; !(await listens(listen)); tries++) {
    if (tries > 100) throw cannotRun("pgbouncer did not start");
    await sleep(100);
  }
  return Object.assign(new URL(url), { port: String(listen) }).href;
}

/** Returns the user to run PgBouncer as, which refuses to run as root. */
function unprivileged() {
  if (process.getuid?.() !== 0) return undefined;
  const id = (flag) => Number(execFileSync("id", [flag, "nobody"], { encoding: "utf8" }));
  return { uid: id("-u"), gid: id("-g") };
}

function listens(port) {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });
}
