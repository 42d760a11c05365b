/** Imports the users of an export in batches, each in one transaction of the bulk import. */
import { type HashOptions, readImportRows } from "../../api/users/import";
import { matchUsers } from "../../bootstrap/users";
import type { Context } from "../../context";
import { isTotpSecret } from "../../crypto/one-time-password";
import { changeDirectory } from "../../directory/change";
import { MAX_KEYS, setMetadataIn } from "../../directory/metadata";
import { importPeople } from "../../directory/user/import";
import { importAuthenticatorAppIn } from "../../directory/user/second-factor";
import { isApiError } from "../../protocol/api-error";
import { readMetadataKeys } from "../../storage/metadata";
import { readUsers } from "../../storage/user/user";
import { IMPORT_ORIGIN } from "./apply-base";
import type { MovedUser } from "./sources/found";

export interface BatchOptions extends HashOptions {
  dryRun: boolean;
}

export interface BatchReport {
  created: number;
  /** Users who were imported before; what they have is kept. */
  known: number;
  authenticatorApps: number;
  refused: string[];
}

const APP_NAME = "Authenticator app";

/** @param organizationId undefined in a dry run for an organization that does not exist yet */
export async function importBatch(
  ctx: Context,
  organizationId: string | undefined,
  users: readonly MovedUser[],
  { dryRun, ...hashes }: BatchOptions,
): Promise<BatchReport> {
  const report: BatchReport = { created: 0, known: 0, authenticatorApps: 0, refused: [] };
  const refuse = ({ row, line }: MovedUser, why: string) => {
    report.refused.push(`line ${line}: user ${row.userName ?? row.userId ?? ""}: ${why}`);
  };
  const named = users.map(({ row }) => ({ id: row.userId, userName: row.userName ?? "" }));
  const reader = ctx.db.prisma;
  const match = organizationId === undefined ? undefined : await matchUsers(reader, organizationId, named);
  const stored = named.map((user) => match?.(user)).map((user) => user?.organizationId === organizationId && user);
  const fresh = users.filter((_, index) => !stored[index]);
  report.known = users.length - fresh.length;
  const rows = await readImportRows(
    fresh.map(({ row }) => row),
    hashes,
  );
  const people = rows.map((row, index) => (isApiError(row) ? row : { ...row, isInactive: fresh[index]?.isInactive }));
  const how = { dryRun, eachByItself: true };
  const results =
    organizationId === undefined ? rows : await importPeople(ctx, organizationId, people, how, IMPORT_ORIGIN);
  if (isApiError(results)) throw new Error(results.message);
  const ids = new Map<MovedUser, string>();
  for (const [index, user] of fresh.entries()) {
    const result = results[index];
    if (result && isApiError(result)) refuse(user, result.message);
    else {
      report.created++;
      if (result?.id !== undefined) ids.set(user, result.id);
    }
  }
  for (const [index, user] of users.entries()) if (stored[index]) ids.set(user, stored[index].id);
  for (const user of ids.keys()) {
    if (user.totp !== undefined && !isTotpSecret(user.totp))
      refuse(user, "the secret of the authenticator app is wrong");
  }
  if (!dryRun && organizationId !== undefined) report.authenticatorApps = await addParts(ctx, organizationId, ids);
  return report;
}

/** Adds authenticator apps and metadata that users lack. @returns how many apps were added */
async function addParts(ctx: Context, organizationId: string, ids: ReadonlyMap<MovedUser, string>): Promise<number> {
  const extended = [...ids].filter(([{ totp, metadata }]) => totp !== undefined || metadata !== undefined);
  if (extended.length === 0) return 0;
  return changeDirectory(
    ctx,
    async (tx) => {
      let apps = 0;
      for (const [{ totp: secret, metadata }, id] of extended) {
        const user = { id, organizationId };
        if (secret !== undefined && isTotpSecret(secret)) {
          const added = await importAuthenticatorAppIn(ctx, tx, user, { secret, name: APP_NAME }, IMPORT_ORIGIN);
          apps += Number(added);
        }
        const owner = { kind: "user", ...user } as const;
        const keys = metadata ? await readMetadataKeys(tx, owner) : [];
        const missing = Object.entries(metadata ?? {}).filter(([key]) => !keys.includes(key));
        for (const [key, text] of missing.slice(0, MAX_KEYS - keys.length)) {
          const value = Buffer.from(text).toString("base64url");
          await setMetadataIn(ctx, tx, owner, { key, value }, IMPORT_ORIGIN);
        }
      }
      return apps;
    },
    { timeout: MAX_DURATION },
  );
}

/** Milliseconds. */
const MAX_DURATION = 120_000;

/** Sets metadata that users lack, from an export that lists it apart from them. @returns why some was not set */
export async function importMetadata(
  ctx: Context,
  entries: readonly { userId: string; key: string; value: string }[],
): Promise<string[]> {
  const wanted = [...new Set(entries.map(({ userId }) => userId))].map((id) => ({ id, userNameKey: "" }));
  return changeDirectory(
    ctx,
    async (tx) => {
      const users = new Map((await readUsers(tx, "", wanted)).map((user) => [user.id, user]));
      const refused: string[] = [];
      for (const { userId, key, value: text } of entries) {
        const user = users.get(userId);
        const owner = user && ({ kind: "user", id: user.id, organizationId: user.organizationId } as const);
        const keys = owner ? await readMetadataKeys(tx, owner) : [];
        if (!owner) refused.push(`metadata ${key}: there is no user ${userId}`);
        else if (keys.length >= MAX_KEYS)
          refused.push(`metadata ${key} of ${userId}: a user has ${MAX_KEYS} keys at most`);
        else if (!keys.includes(key)) {
          const value = Buffer.from(text).toString("base64url");
          await setMetadataIn(ctx, tx, owner, { key, value }, IMPORT_ORIGIN);
        }
      }
      return refused;
    },
    { timeout: MAX_DURATION },
  );
}
