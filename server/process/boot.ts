/**
 * Opens what every program of the service needs: secret keys, the database with an up-to-date schema, log and clock.
 * The service and the operator's tool start in the same way, so that they always use the same database.
 */
import type { Config } from "../config/config";
import { resolveSecretKeys } from "../config/secret-key";
import type { Context } from "../context";
import { openSecrets } from "../crypto/secrets";
import { ensureInstance } from "../directory/instance";
import { createRefreshAnswers } from "../refresh-answers";
import { migrationsFolder } from "../root";
import { readDatabaseUrl } from "../storage/engine/address";
import { connect } from "../storage/engine/connect";
import { migrate } from "../storage/engine/migrate";
import { refuseTransactionPooling } from "../storage/engine/pooler";
import { refuseLostDatabase } from "../storage/engine/sqlite-lock";
import { createLog } from "./log";

/** PostgreSQL allows 100 connections by default; all workers together use fewer, which leaves some for operators. */
const MAX_CONNECTIONS = 80;
/** More connections do not make a single process faster. */
const USEFUL_CONNECTIONS = 20;

/** Returns the maximum number of connections of each process, without the one that listens. */
export function connectionsPerProcess({ workers, databaseUrl }: Config): number {
  const address = readDatabaseUrl(databaseUrl);
  if (address.kind === "postgresql" && address.connectionLimit !== undefined) return address.connectionLimit;
  return Math.max(2, Math.min(USEFUL_CONNECTIONS, Math.floor(MAX_CONNECTIONS / workers)));
}

/**
 * The caller must close the context: `ctx.db.close()`.
 * @param logOutput where the log goes; by default standard output
 * @throws Error with a message of one line that says what is wrong and how to fix it
 */
export async function openContext(config: Config, logOutput?: NodeJS.WritableStream): Promise<Context> {
  refuseLostDatabase(config.databaseUrl);
  const secrets = openSecrets(resolveSecretKeys(config));
  const log = createLog(config, logOutput);
  await refuseTransactionPooling(config.databaseUrl);
  const migrations = await migrate(config.databaseUrl, migrationsFolder);
  if (migrations.length > 0) log.info({ migrations }, "database schema brought up to date");
  const db = await connect(config.databaseUrl, { poolSize: connectionsPerProcess(config) });
  const ctx: Context = {
    db,
    config,
    secrets,
    clock: Date.now,
    log,
    refreshAnswers: createRefreshAnswers(db, config.lifetimes.refreshGrace),
  };
  try {
    await ensureInstance(ctx);
    return ctx;
  } catch (error) {
    await db.close();
    throw error;
  }
}
