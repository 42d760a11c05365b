// Runs the service and its database for a drill: on chosen ports, ended in any way, restarted in the same place.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../../scripts/free-port.mjs";
import { startPostgres } from "../../scripts/postgres.mjs";
import { startService } from "../../scripts/service.mjs";
import { bootstrap, SECRET_KEY } from "./acme.mjs";

/** The clean-up steps after the drill, the latest first. */
const endings = [];
export const atEnd = (ending) => endings.push(ending);

export async function endAll() {
  for (const ending of endings.splice(0).reverse()) {
    await Promise.resolve()
      .then(ending)
      .catch((error) => process.stderr.write(`${error.message}\n`));
  }
}

export function temporaryFolder() {
  const folder = mkdtempSync(join(tmpdir(), "drill-"));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Starts a temporary PostgreSQL with its default durability, as in production. */
export async function database(options) {
  const postgres = await startPostgres(options);
  atEnd(postgres.stop);
  return postgres;
}

/**
 * Creates a node of the service that keeps its port and its folder. It is a single process, so that a kill ends all of
 * it.
 * @param {{ databaseUrl?: string, issuer?: string, env?: object, from?: string, folder?: string, port?: number }}
 *   options databaseUrl: of PostgreSQL, otherwise the node has its own file; issuer: its public address, if that is not
 *   the node itself
 */
export async function createNode({ databaseUrl, issuer, env: more, from, ...place }) {
  const folder = place.folder ?? temporaryFolder();
  const port = place.port ?? (await freePort());
  const env = { WORKERS: "1", LOG_LEVEL: "warn", CODE_LIFETIME: "10m", ...more };
  if (databaseUrl) Object.assign(env, { DATABASE_URL: databaseUrl, SECRET_KEY });
  if (issuer) env.BASE_URL = issuer;
  let running;
  const node = {
    port,
    folder,
    url: issuer ?? `http://localhost:${port}`,
    pid: () => running?.pid,
    output: () => running?.output() ?? "",
    start: async () => {
      running = await startService({ bootstrap, env, from, folder, port });
    },
    /** @returns {Promise<number | string>} exit status */
    stop: () => running.stop(),
    kill: async () => {
      await running.kill();
      await running.stop();
    },
  };
  atEnd(() => running?.stop());
  return node;
}

/** Resolves with the milliseconds until /readyz responds with `wanted`. Rejects after a minute. */
export async function until(node, wanted = 200) {
  const startedAt = Date.now();
  while (Date.now() - startedAt < 60_000) {
    const status = await fetch(`http://localhost:${node.port}/readyz`).then(
      (answer) => answer.status,
      () => 0,
    );
    if (status === wanted) return Date.now() - startedAt;
    await sleep(50);
  }
  throw new Error(`/readyz did not say ${wanted} within a minute`);
}

export const sleep = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
