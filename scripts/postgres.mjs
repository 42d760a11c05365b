// A temporary PostgreSQL cluster for tests, the bench and the authoring of migrations: temporary directory, free
// loopback port, trust authentication, PostgreSQL's default durability. It never outlives the process that started it:
// a watchdog, whose standard input is a pipe from this process, stops and removes it even if this process is killed.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { freePort } from "./free-port.mjs";

const INSTALL = "PostgreSQL is not installed; install it with: apt-get install postgresql";
const START_TIMEOUT = 120_000; // milliseconds

/** Returns the folder that has `programs`: PATH first, then Debian's versioned folders, newest first. */
export function findBinaries(programs = ["initdb", "postgres"]) {
  const debian = "/usr/lib/postgresql";
  const versions = fs.existsSync(debian) ? fs.readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [...(process.env.PATH ?? "").split(path.delimiter), ...versions.map((v) => `${debian}/${v}/bin`)];
  const found = folders.find((dir) => dir && programs.every((program) => fs.existsSync(`${dir}/${program}`)));
  if (!found) throw new Error(INSTALL);
  return found;
}

/** Returns the user to run PostgreSQL as, which refuses to run as root. */
function unprivilegedUser() {
  if (process.getuid?.() !== 0) return {};
  for (const name of ["postgres", "nobody"]) {
    try {
      const id = (flag) => Number(execFileSync("id", [flag, name], { stdio: ["ignore", "pipe", "ignore"] }));
      return { uid: id("-u"), gid: id("-g") };
    } catch {
      // no such user: try the next
    }
  }
  throw new Error("PostgreSQL refuses to run as root and there is neither a user postgres nor nobody");
}

/**
 * Resolves when the server's log reports that it is ready. Rejects with the last lines of the log if it dies or takes
 * too long.
 */
function ready(child) {
  return new Promise((resolve, reject) => {
    let log = "";
    const settle = (error) => {
      clearTimeout(timer);
      child.off("exit", died).off("error", settle);
      child.stderr.off("data", read).resume(); // a full pipe would block the server
      if (error) reject(new Error(`PostgreSQL ${error.message}: ${log.trim().split("\n").slice(-3).join(" | ")}`));
      else resolve();
    };
    const died = (code) => settle(new Error(`ended with ${code}`));
    const read = (chunk) => {
      log = (log + chunk).slice(-4000);
      if (/ready to accept (read-only )?connections/.test(log)) settle();
    };
    const timer = setTimeout(() => settle(new Error("did not start in time")), START_TIMEOUT);
    child.once("exit", died).once("error", settle);
    child.stderr.on("data", read);
  });
}

/** Settings without waits for the disk and without background work, for small databases that exist for a minute. */
const NOT_DURABLE = {
  ...{ fsync: "off", synchronous_commit: "off", full_page_writes: "off" },
  ...{ autovacuum: "off", jit: "off", checkpoint_timeout: "1d", max_wal_size: "4GB" },
  ...{ bgwriter_lru_maxpages: 0, max_logical_replication_workers: 0 },
};

/**
 * Creates and starts a cluster, which takes about a second.
 * @param {{ durable?: boolean, standbyOf?: string }} options durable: false never waits for the disk, for tests that
 *   create many databases; standbyOf: the URL of a cluster to copy and to follow
 * @returns {Promise<{ url: string, localUrl: string, pid: number, stop: () => Promise<void> }>} the URL of its
 *   database `postgres` as superuser, the same through a socket in its folder (a statement costs both sides a quarter
 *   less), the process that all others of the cluster descend from, and the function that stops and deletes it
 */
export async function startPostgres({ durable = true, standbyOf } = {}) {
  const bin = findBinaries();
  const user = unprivilegedUser();
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), "postgres-"));
  const data = path.join(dir, "data");
  if (user.uid !== undefined) fs.chownSync(dir, user.uid, user.gid);
  const options = { ...user, cwd: dir, env: { PATH: process.env.PATH, LC_ALL: "C", TZ: "UTC" } };
  let child;
  try {
    const initdb = ["-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"];
    const copy = ["-D", data, "-d", standbyOf, "--write-recovery-conf", "--checkpoint=fast", "--no-sync"];
    const [program, args] = standbyOf
      ? [`${findBinaries(["pg_basebackup"])}/pg_basebackup`, copy]
      : [`${bin}/initdb`, initdb];
    execFileSync(program, args, { ...options, stdio: ["ignore", "ignore", "pipe"] });
    const port = await freePort();
    const settings = { listen_addresses: "127.0.0.1", port, unix_socket_directories: dir, max_connections: 200 };
    if (!durable) Object.assign(settings, NOT_DURABLE);
    const flags = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
    child = spawn(`${bin}/postgres`, ["-D", data, ...flags], { ...options, stdio: ["ignore", "ignore", "pipe"] });
    await ready(child);
    const stop = watch(child, dir);
    const url = `postgresql://postgres@127.0.0.1:${port}/postgres`;
    return { url, localUrl: `${url}?host=${encodeURIComponent(dir)}`, pid: child.pid, stop };
  } catch (error) {
    child?.kill("SIGQUIT");
    fs.rmSync(dir, { recursive: true, force: true });
    throw error;
  }
}

/** Ends the cluster when this process ends. Returns the function that ends it earlier. */
function watch(child, dir) {
  // The server removes its pid file last, when all its processes have ended and nothing is written any more.
  const ended = 'i=0; while [ -e "$2/data/postmaster.pid" ] && [ $((i += 1)) -le 100 ]; do sleep 0.1; done';
  const script = `cat; kill -QUIT "$1" 2>/dev/null && { ${ended}; }; rm -rf "$2"`;
  const watchdog = spawn("/bin/sh", ["-c", script, "watchdog", String(child.pid), dir], {
    detached: true, // Ctrl-C in a terminal must not reach it before this process
    stdio: ["pipe", "ignore", "ignore"],
  });
  for (const handle of [child, child.stderr, watchdog, watchdog.stdin]) handle.unref(); // never keeps this process alive
  let stopped;
  const end = async () => {
    if (child.exitCode === null && child.signalCode === null) {
      const exit = once(child, "exit");
      child.ref();
      child.kill("SIGINT"); // fast shutdown: ends connections, no waiting
      await exit;
    }
    const exit = once(watchdog, "exit");
    watchdog.ref();
    watchdog.stdin.end(); // finds nothing to stop and removes the directory
    await exit;
  };
  return () => {
    stopped ??= end();
    return stopped;
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const starting = startPostgres();
  const alive = setInterval(() => {}, 1 << 30);
  const stop = async () => {
    clearInterval(alive);
    await (await starting).stop();
    process.exit(0);
  };
  // Before the URL is printed, because a reader of it may stop this process at once. Not `once`: a terminal and npm
  // both send the signal.
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
  try {
    console.log((await starting).url);
  } catch (error) {
    console.error(error.message);
    process.exit(1);
  }
}
