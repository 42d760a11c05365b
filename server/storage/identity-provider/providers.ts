/** Rows of identity providers, of the service and of organizations. */
import {
  IDENTITY_PROVIDER_KINDS,
  type IdentityProviderOptions,
  type IdentityProviderSettings,
} from "../../protocol/identity-provider";
import type { ProviderMapping } from "../../protocol/provider-mapping";
import type { Database, Transaction } from "../database";
import { readAll, readCount, readOne, write, writeOne } from "../in-transaction";
import { bind, columnsIn, type Params, statement, tables } from "../statement";

export interface IdentityProviderRow {
  id: string;
  /** The id of an organization, or of the instance. */
  ownerId: string;
  kind: string;
  name: string;
  state: "active" | "inactive";
  settings: IdentityProviderSettings;
  options: IdentityProviderOptions;
  /** Null: names are read from the standard claims, and no roles are given. */
  mapping: ProviderMapping | null;
  /** The client secret or private key, sealed; null for a public client. */
  sealedSecret: string | null;
  /** When the last certificate of a SAML provider ends, in epoch milliseconds; null for other kinds. */
  certificateExpiresAt: number | null;
  /** When the secret ends, as entered, in epoch milliseconds; null if that is not known. */
  secretExpiresAt: number | null;
  /** The end that was announced. */
  announcedEnd: number | null;
  /** The user answerable for it; null if unknown. */
  changedBy: string | null;
  /** Epoch milliseconds. */
  createdAt: number;
  changedAt: number;
}

/** During an upgrade, a newer process may have stored a kind that this one cannot use. */
const rows = tables
  .selectFrom("IdentityProvider")
  .selectAll()
  .where("kind", "in", IDENTITY_PROVIDER_KINDS)
  .$castTo<IdentityProviderRow>();
const ofOwner = statement(($: Params<{ ownerId: string }>) =>
  rows.where("ownerId", "=", $("ownerId")).orderBy("createdAt").orderBy("id"),
);
const withId = statement(($: Params<{ id: string }>) => rows.where("id", "=", $("id")));

/** Returns the providers of an owner, in the order in which they were added. */
export const listIdentityProviderRows = (db: Database, ownerId: string): Promise<IdentityProviderRow[]> =>
  db.all(ofOwner({ ownerId }));

export const findIdentityProviderRow = (db: Database, id: string): Promise<IdentityProviderRow | undefined> =>
  db.one(withId({ id }));

/** Returns the provider; one of another owner is treated as missing. */
export async function readIdentityProvider(
  tx: Transaction,
  ownerId: string,
  id: string,
): Promise<IdentityProviderRow | undefined> {
  const row = await readOne(tx, withId({ id }));
  return row?.ownerId === ownerId ? row : undefined;
}

export const readIdentityProviders = (tx: Transaction, ownerId: string): Promise<IdentityProviderRow[]> =>
  readAll(tx, ofOwner({ ownerId }));

export const countIdentityProviders = (tx: Transaction, ownerId: string): Promise<number> =>
  readCount(tx, tables.selectFrom("IdentityProvider").where("ownerId", "=", ownerId));

type NewRow = Omit<IdentityProviderRow, "createdAt" | "changedAt" | "announcedEnd">;

export async function insertIdentityProvider(
  tx: Transaction,
  row: Omit<NewRow, "mapping">,
  now: number,
): Promise<void> {
  const values = { ...row, settings: row.settings as never, options: row.options as never };
  await write(tx, bind(tables.insertInto("IdentityProvider").values({ ...values, createdAt: now, changedAt: now })));
}

export async function updateIdentityProvider(
  tx: Transaction,
  id: string,
  data: Partial<Omit<NewRow, "id" | "ownerId" | "kind">>,
  now: number,
): Promise<void> {
  const update = tables.updateTable("IdentityProvider").set({ ...(data as object), changedAt: now });
  await writeOne(tx, bind(update.where("id", "=", id)));
}

const ending = statement(($: Params<{ now: number; until: number; limit: number }>) => {
  const eb = columnsIn<{ p: "IdentityProvider" }>();
  const end = eb.fn.coalesce("p.certificateExpiresAt", "p.secretExpiresAt");
  return tables
    .selectFrom("IdentityProvider as p")
    .select(["p.id", "p.ownerId", "p.certificateExpiresAt", "p.secretExpiresAt"])
    .where(end, ">", $("now"))
    .where(end, "<=", $("until"))
    .where(eb.or([eb("p.announcedEnd", "is", null), eb("p.announcedEnd", "<>", end)]))
    .orderBy("p.id")
    .limit($("limit"));
});

/** Returns providers whose certificate or secret ends within a time, unless that end was announced. */
export function listEndingProviders(db: Database, range: { now: number; until: number; limit: number }) {
  return db.all(ending(range));
}

/** Marks an end as announced. @returns false if it was before, or the provider was removed */
export async function markEndAnnounced(tx: Transaction, id: string, end: number): Promise<boolean> {
  const marked = tables.updateTable("IdentityProvider").set({ announcedEnd: end }).where("id", "=", id);
  const isNew = marked.where((eb) => eb.or([eb("announcedEnd", "is", null), eb("announcedEnd", "<>", end)]));
  return (await write(tx, bind(isNew))) > 0;
}

/** Deletes the provider with all links and sign-ins of it. */
export async function deleteIdentityProvider(tx: Transaction, id: string): Promise<void> {
  for (const table of ["IdentityLink", "ProviderSession"] as const) {
    await write(tx, bind(tables.deleteFrom(table).where("providerId", "=", id)));
  }
  await writeOne(tx, bind(tables.deleteFrom("IdentityProvider").where("id", "=", id)));
}
