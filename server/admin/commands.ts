/** The commands of the operator's tool. Failures are thrown as errors with a message of one line. */
import { applyBootstrapFile } from "../bootstrap/apply";
import type { Config } from "../config/config";
import type { Context } from "../context";
import { findInstance } from "../directory/instance";
import { createSetupLink } from "../directory/setup/setup";
import { announcedTurn, requestRotation } from "../keys/request-rotation";
import { ensureSigningKeys, listSigningKeys } from "../keys/signing-keys";
import { isApiError } from "../protocol/api-error";
import { signingAlgorithms } from "../protocol/client";
import { readDatabaseUrl } from "../storage/engine/address";
import { backUpSqlite } from "../storage/engine/backup";
import type { Output } from "./output";

export async function makeSetupLink(ctx: Context, _argument: string, { out }: Output): Promise<void> {
  out(await createSetupLink(ctx));
}

export async function applyFile(ctx: Context, path: string, { out }: Output): Promise<void> {
  const { created, updated, warnings } = await applyBootstrapFile(ctx, path);
  for (const name of created) out(`created ${name}`);
  for (const name of updated) out(`updated ${name}`);
  for (const warning of warnings) out(`warning ${warning}`);
  if (created.length + updated.length === 0) out("nothing differs, nothing was changed");
}

export async function rotateKey(ctx: Context, _argument: string, { out }: Output): Promise<void> {
  await ensureSigningKeys(ctx, (await findInstance(ctx)).id);
  for (const algorithm of signingAlgorithms) {
    const known = await announcedTurn(ctx, algorithm);
    const next = known ?? (await requestRotation({ ...ctx, origin: { actor: "operator" } }, algorithm));
    if (isApiError(next)) throw new Error(next.message);
    const { kid, activeFrom } = next;
    const ahead = activeFrom - ctx.clock();
    // A running service reloads its keys every few seconds.
    const when =
      ahead <= 0 ? "signs within seconds" : `signs from ${instant(activeFrom)} on, in ${Math.ceil(ahead / 60_000)} min`;
    if (known) out(`${algorithm} key ${kid} ${when}: it was told to before, nothing was changed`);
    else out(`${algorithm} key ${kid} ${when}${ahead > 0 ? ", when every cache can know it" : ""}`);
  }
}

export async function listKeys(ctx: Context, _argument: string, { out }: Output): Promise<void> {
  const keys = await listSigningKeys(ctx);
  if (keys.length === 0) out("no keys yet: the service makes them at its first start");
  for (const { kid, algorithm, state, createdAt, activeFrom, removeAt } of keys) {
    const times = [
      `made ${instant(createdAt)}`,
      activeFrom === null ? undefined : `signs from ${instant(activeFrom)}`,
      removeAt === null ? undefined : `published until ${instant(removeAt)}`,
    ];
    out([kid, algorithm, state.padEnd(7), times.filter(Boolean).join(", ")].join("  "));
  }
}

export async function backUp(config: Config, target: string, { out }: Output): Promise<number> {
  const address = readDatabaseUrl(config.databaseUrl);
  if (address.kind === "postgresql") throw new Error("backup is for the embedded database; use pg_dump for PostgreSQL");
  const bytes = backUpSqlite(address.file, target);
  out(`wrote ${target}, ${bytes} bytes, checked; it can be opened only with the secret key, which is not in it`);
  return 0;
}

const instant = (at: number) => new Date(at).toISOString().replace(/\.\d+Z$/, "Z");
