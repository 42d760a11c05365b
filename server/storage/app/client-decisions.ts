/** Rows of what organizations decided about apps for their own users, and the grants that such a decision ends. */
import type { Selectable } from "kysely";
import type { Database, Transaction } from "../database";
import type { Tables } from "../generated/tables";
import { readAll, write, writeOne } from "../in-transaction";
import { type Filter, rowList } from "../pages";
import { bind, columnsIn, type Params, statement, tables } from "../statement";

/** Times are epoch milliseconds. */
export interface ClientDecisionRow extends Selectable<Tables["ClientDecision"]> {
  kind: "client" | "host";
  decision: "allow" | "forbid";
}

const rows = tables.selectFrom("ClientDecision").selectAll().$castTo<ClientDecisionRow>();

const ofOrganization = statement(($: Params<{ organizationId: string }>) =>
  rows.where("organizationId", "=", $("organizationId")).orderBy("id"),
);

export const findClientDecisions = (db: Database, organizationId: string): Promise<ClientDecisionRow[]> =>
  db.all(ofOrganization({ organizationId }));

export const readClientDecisions = (tx: Transaction, organizationId: string): Promise<ClientDecisionRow[]> =>
  readAll(tx, ofOrganization({ organizationId }));

const eb = columnsIn<{ d: "ClientDecision" }>();

const select = (where: Filter) =>
  tables.selectFrom("ClientDecision as d").selectAll("d").where(eb.and(where)).$castTo<ClientDecisionRow>();

/** The conditions for a list of an organization's decisions. */
export const clientDecisionsOf = (
  organizationId: string,
  matches: readonly Partial<Pick<ClientDecisionRow, "kind" | "decision">>[],
): Filter => [
  eb("d.organizationId", "=", organizationId),
  ...matches.flatMap(({ kind, decision }) => [
    ...(kind ? [eb("d.kind", "=", kind)] : []),
    ...(decision ? [eb("d.decision", "=", decision)] : []),
  ]),
];

/** Decisions, newest first: their ids are UUIDv7. */
export const clientDecisionList = rowList(select, { sort: "d.id", unique: "d.organizationId", isDescending: true });

export async function insertClientDecision(tx: Transaction, row: ClientDecisionRow): Promise<void> {
  await write(tx, bind(tables.insertInto("ClientDecision").values(row)));
}

export async function updateClientDecision(
  tx: Transaction,
  id: string,
  change: Pick<ClientDecisionRow, "decision" | "changedAt">,
): Promise<void> {
  await writeOne(tx, bind(tables.updateTable("ClientDecision").set(change).where("id", "=", id)));
}

export async function deleteClientDecision(tx: Transaction, id: string): Promise<void> {
  await write(tx, bind(tables.deleteFrom("ClientDecision").where("id", "=", id)));
}

/** A grant that is valid, with what a decision is made by. */
export interface DecidedGrant {
  id: string;
  userId: string;
  clientId: string;
  redirectUri: string | null;
  /** The organization that owns the app; null if the app was removed, as for the console. */
  ownerId: string | null;
  origin: "registration" | "document" | null;
  isTrusted: boolean | null;
}

/** Returns the grants of an organization's users that are valid at `now`. It reads all of them: for rare operations. */
export async function readGrantsOfOrganization(
  tx: Transaction,
  organizationId: string,
  now: number,
): Promise<DecidedGrant[]> {
  const grants = tables
    .selectFrom("Grant as g")
    .innerJoin("User as u", "u.id", "g.userId")
    .leftJoin("App as a", "a.clientId", "g.clientId")
    .leftJoin("Project as p", "p.id", "a.projectId")
    .leftJoin("ClientRegistration as r", "r.appId", "a.id")
    .select(["g.id", "g.userId", "g.clientId", "g.redirectUri", "p.organizationId as ownerId", "r.kind as origin"])
    .select("a.isTrusted")
    .where("u.organizationId", "=", organizationId)
    .where("g.revokedAt", "is", null)
    .where("g.expiresAt", ">", now)
    .orderBy("g.id");
  return readAll(tx, bind(grants.$castTo<DecidedGrant>()));
}
