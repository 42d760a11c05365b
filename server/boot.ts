/**
 * Opens what every program of the service works on: keys, database with its schema up to date, log, clock. The service
 * and the operator's tool start the same way, so that the one never sees another database than the other.
 */
import type { Config } from "./config";
import type { Context } from "./context";
import { openSecrets } from "./crypto/secrets";
import { ensureInstance } from "./directory/instance";
import { createLog } from "./log";
import { migrationsFolder } from "./root";
import { resolveSecretKeys } from "./secret-key";
import { connect } from "./storage/engine/connect";
import { migrate } from "./storage/engine/migrate";

/** PostgreSQL allows 100 connections unless told otherwise; all workers together stay below, with room for operators. */
const MOST_CONNECTIONS = 80;
/** More do not make one process faster. */
const USEFUL_CONNECTIONS = 20;

function connectionsPerProcess({ workers }: Config): number {
  return Math.max(2, Math.min(USEFUL_CONNECTIONS, Math.floor(MOST_CONNECTIONS / workers)));
}

/**
 * Whoever opens the context closes it: `ctx.db.close()`.
 * @param logOutput where the log goes; standard output unless that is the program's own
 * @throws Error with a message of one line that says what is wrong and what to do
 */
export async function openContext(config: Config, logOutput?: NodeJS.WritableStream): Promise<Context> {
  const secrets = openSecrets(resolveSecretKeys(config));
  const log = createLog(config, logOutput);
  const migrations = await migrate(config.databaseUrl, migrationsFolder);
  if (migrations.length > 0) log.info({ migrations }, "database schema brought up to date");
  const db = await connect(config.databaseUrl, { poolSize: connectionsPerProcess(config) });
  const ctx: Context = { db, config, secrets, clock: Date.now, log };
  try {
    await ensureInstance(ctx);
    return ctx;
  } catch (error) {
    await db.close();
    throw error;
  }
}
