/** Imports the users of an export in batches, each in one transaction of the bulk import. */
import { type HashOptions, readImportRows } from "../../api/users/import";
import { matchUsers } from "../../bootstrap/users";
import type { Context } from "../../context";
import { passwordElsewhere } from "../../crypto/elsewhere";
import { importPeople } from "../../directory/user/import";
import { isApiError } from "../../protocol/api-error";
import { IMPORT_ORIGIN } from "./apply-base";
import type { MovedUser } from "./sources/found";
import { importParts, type PartsOptions, type PartsReport } from "./user-parts";

export interface BatchOptions extends PartsOptions {
  /** Whether the password hook verifies passwords that the file does not contain. */
  asksElsewhere?: boolean;
  hashes: HashOptions;
}

export interface BatchReport extends PartsReport {
  created: number;
  /** Users who were imported before; what they have is kept. */
  known: number;
}

/** @param organizationId undefined in a dry run for an organization that does not exist yet */
export async function importBatch(
  ctx: Context,
  organizationId: string | undefined,
  users: readonly MovedUser[],
  { hashes, asksElsewhere, dryRun, ...options }: BatchOptions,
): Promise<BatchReport> {
  const report = { created: 0, known: 0, refused: [] as string[] };
  const refused = new Set<MovedUser>();
  const named = users.map(({ row }) => ({ id: row.userId, userName: row.userName ?? "" }));
  const reader = ctx.db.prisma;
  const match = organizationId === undefined ? undefined : await matchUsers(reader, organizationId, named);
  const stored = named.map((user) => match?.(user)).map((user) => user?.organizationId === organizationId && user);
  const fresh = users.filter((_, index) => !stored[index]);
  report.known = users.length - fresh.length;
  const rows = await readImportRows(
    fresh.map(({ row }) => (asksElsewhere ? { hashedPassword: { value: passwordElsewhere() }, ...row } : row)),
    hashes,
  );
  const people = rows.map((row, index) => (isApiError(row) ? row : { ...row, isInactive: fresh[index]?.isInactive }));
  const how = { dryRun, eachByItself: true };
  const results =
    organizationId === undefined
      ? rows
      : await importPeople({ ...ctx, origin: IMPORT_ORIGIN }, organizationId, people, how);
  if (isApiError(results)) throw new Error(results.message);
  const ids = new Map<MovedUser, string>();
  for (const [index, user] of fresh.entries()) {
    const result = results[index];
    if (result && isApiError(result)) {
      refused.add(user);
      report.refused.push(`${nameOf(user)}: ${result.message}`);
    } else {
      report.created++;
      if (result?.id !== undefined) ids.set(user, result.id);
    }
  }
  for (const [index, user] of users.entries()) if (stored[index]) ids.set(user, stored[index].id);
  const owners = users
    .filter((user) => !refused.has(user))
    .map((parts) => {
      const id = ids.get(parts);
      const user = id === undefined || organizationId === undefined ? undefined : { id, organizationId };
      return { parts, user, name: nameOf(parts) };
    });
  const parts = await importParts(ctx, organizationId, owners, { dryRun, ...options });
  return { ...report, ...parts, refused: [...report.refused, ...parts.refused] };
}

const nameOf = ({ row, line }: MovedUser) => `line ${line}: user ${row.userName ?? row.userId ?? ""}`;
