/**
 * Rows of apps to be notified when a session ends (OpenID Connect Back-Channel Logout 1.0). A row is created when an
 * app first gets an answer in a session, so that it outlives the grants. Ending the session makes it due in the same
 * transaction. Several processes may deliver: each row is leased by one of them.
 */
import type { Selectable } from "kysely";
import { newId } from "../../crypto/random";
import type { Database, Transaction } from "../database";
import type { Tables } from "../generated/tables";
import { write } from "../in-transaction";
import { bind, columnsIn, listStatement, type Params, statement, tables, truth } from "../statement";

/** Times are epoch milliseconds. */
export type LogoutNotificationRow = Selectable<Tables["LogoutNotification"]>;

type Participation = Pick<LogoutNotificationRow, "sessionId" | "clientId" | "userId">;

const participate = statement(($: Params<Participation & { id: string; now: number; due: number }>) =>
  tables
    .insertInto("LogoutNotification")
    .values({
      ...{ id: $("id"), clientId: $("clientId"), sessionId: $("sessionId"), userId: $("userId") },
      ...{ createdAt: $("now"), nextAttemptAt: $("due"), attempts: 0 },
    })
    .onConflict((conflict) => conflict.columns(["sessionId", "clientId"]).doNothing()),
);

/**
 * Records that the app takes part in the session; repetitions have no effect.
 * @param sessionExpiresAt epoch milliseconds at which the row is due at the latest
 */
export async function noteSessionClient(
  db: Database,
  { sessionId, clientId, userId }: Participation,
  now: number,
  sessionExpiresAt: number,
): Promise<void> {
  await db.run(participate({ id: newId(), sessionId, clientId, userId, now, due: sessionExpiresAt }));
}

/** Returns the apps that take part in the sessions and are to be notified; at most `limit`, the earliest first. */
export async function listSessionClients(
  db: Database,
  sessionIds: readonly string[],
  limit: number,
): Promise<Pick<LogoutNotificationRow, "sessionId" | "clientId">[]> {
  if (sessionIds.length === 0) return [];
  const rows = tables.selectFrom("LogoutNotification").select(["sessionId", "clientId"]);
  return db.all(bind(rows.where("sessionId", "in", sessionIds).orderBy("createdAt").orderBy("id").limit(limit)));
}

/** Makes the rows of an ended session due, once this transaction is committed. */
export async function dueLogoutNotifications(tx: Transaction, sessionId: string, now: number): Promise<void> {
  const untried = tables
    .updateTable("LogoutNotification")
    .set({ nextAttemptAt: now })
    .where((eb) => eb.and({ sessionId, deliveredAt: null, failedAt: null, attempts: 0 }));
  await write(tx, bind(untried));
}

const wake = statement(($: Params<{ now: number }>) => {
  const ended = tables
    .selectFrom("Session as s")
    .innerJoin("User as u", "u.id", "s.userId")
    .select("s.id")
    .where("s.endedAt", "is", null)
    .where((eb) => eb.or([eb("s.authTime", "<", eb.ref("u.validFrom")), eb("u.state", "<>", "active")]));
  return tables
    .updateTable("LogoutNotification")
    .set({ nextAttemptAt: $("now") })
    .where((eb) => eb.and({ deliveredAt: null, failedAt: null, attempts: 0 }))
    .where("nextAttemptAt", ">", $("now"))
    .where("sessionId", "in", ended);
});

/**
 * Makes rows due whose session ended indirectly: by a password change or the deactivation of a user.
 * @returns the number of rows
 */
export function wakeLogoutNotifications(db: Database, now: number): Promise<number> {
  return db.run(wake({ now }));
}

type LeaseParams = Params<{ now: number; until: number; id: string }>;

function isDue($: LeaseParams) {
  const eb = columnsIn<{ n: "LogoutNotification" }>();
  return eb.and([
    eb.and({ "n.deliveredAt": null, "n.failedAt": null }),
    eb("n.nextAttemptAt", "<=", $("now")),
    eb.or([eb("n.leaseUntil", "is", null), eb("n.leaseUntil", "<=", $("now"))]),
  ]);
}

/** A leased row with the organization of its app. */
export interface LeasedLogoutNotification extends LogoutNotificationRow {
  /** Empty if the app was removed. */
  organizationId: string;
}

/** The number of candidate rows, because other processes take rows at the same time. */
const CANDIDATES = 8;

const due = listStatement(($: LeaseParams, passedOver) => {
  const eb = columnsIn<{ p: "Project" }>();
  const organizationId = eb.fn.coalesce("p.organizationId", eb.val(""));
  const rows = tables
    .selectFrom("LogoutNotification as n")
    .leftJoin("App as a", "a.clientId", "n.clientId")
    .leftJoin("Project as p", "p.id", "a.projectId")
    .selectAll("n")
    .select(organizationId.as("organizationId"))
    .where(isDue($))
    .orderBy("n.nextAttemptAt")
    .orderBy("n.id")
    .limit(CANDIDATES);
  return passedOver.length === 0 ? rows : rows.where(eb(organizationId, "not in", passedOver));
});

const take = statement(($: LeaseParams) =>
  tables
    .updateTable("LogoutNotification as n")
    .set({ leaseUntil: $("until") })
    .where("n.id", "=", $("id"))
    .where(isDue($)),
);

/**
 * Leases the next due row to the caller until `until`.
 * @param passedOver organizations whose rows are left to other processes
 */
export async function leaseLogoutNotification(
  db: Database,
  now: number,
  until: number,
  passedOver: readonly string[],
): Promise<LeasedLogoutNotification | undefined> {
  for (const row of await db.all(due({ now, until, id: "" }, passedOver))) {
    if ((await db.run(take({ now, until, id: row.id }))) === 1) return { ...row, leaseUntil: until };
  }
  return undefined;
}

type Held = Pick<LogoutNotificationRow, "id" | "leaseUntil">;

/** The result of an attempt. Times are epoch milliseconds. */
export type LogoutOutcome =
  | { kind: "delivered"; at: number }
  | { kind: "failed"; at: number; error: string }
  | { kind: "again"; at: number; error: string }
  /** Not attempted, because the session has not ended. */
  | { kind: "later"; at: number };

/** Ends the lease with the result. Returns false if the lease had expired, so that another process may have the row. */
export async function settleLogoutNotification(db: Database, held: Held, outcome: LogoutOutcome): Promise<boolean> {
  const { kind, at } = outcome;
  const lastError = "error" in outcome ? outcome.error : null;
  const changes = {
    delivered: { deliveredAt: at, lastError },
    failed: { failedAt: at, lastError },
    again: { nextAttemptAt: at, lastError },
    later: { nextAttemptAt: at },
  }[kind];
  let settled = tables
    .updateTable("LogoutNotification")
    .set({ ...changes, leaseUntil: null })
    .where("id", "=", held.id)
    .where("leaseUntil", "=", held.leaseUntil);
  if (kind !== "later") settled = settled.set((eb) => ({ attempts: eb("attempts", "+", 1) }));
  return (await db.run(bind(settled))) === 1;
}

export async function deleteLogoutNotification(db: Database, { id }: Held): Promise<void> {
  await db.run(bind(tables.deleteFrom("LogoutNotification").where("id", "=", id)));
}

const validity = statement(($: Params<{ id: string }>) =>
  tables
    .selectFrom("Session as s")
    .innerJoin("User as u", "u.id", "s.userId")
    .select("s.expiresAt")
    .select((eb) =>
      truth(
        eb.or([
          eb("s.endedAt", "is not", null),
          eb("s.authTime", "<", eb.ref("u.validFrom")),
          eb("u.state", "<>", "active"),
        ]),
      ).as("hasEnded"),
    )
    .where("s.id", "=", $("id")),
);

/** Returns the state of a session: its expiry in epoch milliseconds, or "ended"; undefined if it has expired. */
export async function sessionValidity(
  db: Database,
  sessionId: string,
  now: number,
): Promise<number | "ended" | undefined> {
  const row = await db.one(validity({ id: sessionId }));
  if (!row) return undefined;
  if (row.hasEnded) return "ended";
  return row.expiresAt > now ? row.expiresAt : undefined;
}

/** An app's notifications, newest first. */
export function listLogoutNotifications(
  db: Database,
  clientId: string,
  limit: number,
): Promise<LogoutNotificationRow[]> {
  const all = tables.selectFrom("LogoutNotification").selectAll().where("clientId", "=", clientId);
  return db.all(bind(all.orderBy("createdAt", "desc").orderBy("id", "desc").limit(limit)));
}
