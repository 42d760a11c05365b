/** Counts of what needs an administrator's attention. They are read from indexes, or from tables of settings. */
import { sql } from "kysely";
import type { Database } from "../database";
import type { OutboxChannel } from "../message/outbox";
import { bind, tables } from "../statement";

export interface AttentionDays {
  /** The beginning of today. */
  today: number;
  /** The beginning and the end of the day to compare with. */
  before: number;
  beforeEnd: number;
}

export interface FailuresOfReason {
  reason: string;
  today: number;
  before: number;
}

/** Counts the failed attempts to sign in of two days by reason, the most frequent first. */
export function countFailuresByReason(
  db: Database,
  organizationId: string | undefined,
  { today, before, beforeEnd }: AttentionDays,
): Promise<FailuresOfReason[]> {
  const attempts = tables
    .selectFrom("SignInAttempt")
    .select((eb) => [
      "reason",
      eb
        .cast<number>(
          eb.fn.sum(eb.case().when("createdAt", ">=", today).then(eb.ref("count")).else(0).end()),
          "integer",
        )
        .as("today"),
      eb
        .cast<number>(eb.fn.sum(eb.case().when("createdAt", "<", today).then(eb.ref("count")).else(0).end()), "integer")
        .as("before"),
    ])
    .where("createdAt", ">=", before)
    .where((eb) => eb.or([eb("createdAt", "<", beforeEnd), eb("createdAt", ">=", today)]))
    .where("reason", "<>", "signed_in")
    .groupBy("reason")
    .orderBy(sql`2`, "desc")
    .orderBy("reason");
  return db.all(bind(organizationId === undefined ? attempts : attempts.where("organizationId", "=", organizationId)));
}

/** Counts the users who had to wait since a time, because of too many wrong passwords or codes. */
export function countLockedOut(db: Database, organizationId: string | undefined, since: number): Promise<number> {
  const users = tables
    .selectFrom("SignInAttempt")
    .select((eb) => eb.cast<number>(eb.fn.count("userId").distinct(), "integer").as("count"))
    .where("createdAt", ">=", since)
    .where("reason", "in", ["throttled", "locked_out", "factor_throttled"]);
  return countOf(db, organizationId === undefined ? users : users.where("organizationId", "=", organizationId));
}

export type FailedByChannel = Record<OutboxChannel, number>;

/** Counts the messages that were queued since a time and failed. Those without a known channel count as emails. */
export async function countFailedMessages(
  db: Database,
  organizationId: string | undefined,
  since: number,
): Promise<FailedByChannel> {
  const messages = tables
    .selectFrom("OutboxMessage")
    .select((eb) => ["channel", eb.cast<number>(eb.fn.countAll(), "integer").as("count")])
    .where("state", "=", "failed")
    .where("createdAt", ">=", since)
    .groupBy("channel")
    .$narrowType<{ channel: OutboxChannel | null }>();
  const own = organizationId === undefined ? messages : messages.where("organizationId", "=", organizationId);
  const failed: FailedByChannel = { email: 0, sms: 0, webhook: 0 };
  for (const { channel, count } of await db.all(bind(own)))
    failed[channel && channel in failed ? channel : "email"] += count;
  return failed;
}

/** Counts the texts that wait for an approval. */
export function countWaitingDrafts(db: Database, organizationId: string | undefined): Promise<number> {
  const drafts = tables
    .selectFrom("TextDraft")
    .select((eb) => eb.cast<number>(eb.fn.countAll(), "integer").as("count"))
    .where("rejectedBy", "is", null);
  return countOf(db, organizationId === undefined ? drafts : drafts.where("ownerId", "=", organizationId));
}

export type ExpiringCredentials = Record<"apps" | "machines" | "identityProviders", number>;

/**
 * Counts the secrets, keys and certificates that expire within a time, by what has them.
 * @param own the organization; undefined for all
 */
export async function countExpiringCredentials(
  db: Database,
  own: string | undefined,
  { from, until }: { from: number; until: number },
): Promise<ExpiringCredentials> {
  const ofApps = (table: "AppSecret" | "AppKey") => {
    const query = tables
      .selectFrom(`${table} as k` as "AppKey as k") // the columns below are the same
      .innerJoin("App as a", "a.id", "k.appId")
      .innerJoin("Project as p", "p.id", "a.projectId")
      .select((eb) => eb.cast<number>(eb.fn.countAll(), "integer").as("count"))
      .where("k.expiresAt", ">", from)
      .where("k.expiresAt", "<=", until);
    return countOf(db, own === undefined ? query : query.where("p.organizationId", "=", own));
  };
  const machines = tables
    .selectFrom("MachineKey as k")
    .innerJoin("User as u", "u.id", "k.userId")
    .select((eb) => eb.cast<number>(eb.fn.countAll(), "integer").as("count"))
    .where("k.expiresAt", ">", from)
    .where("k.expiresAt", "<=", until);
  const certificates = tables
    .selectFrom("IdentityProvider as i")
    .select((eb) => eb.cast<number>(eb.fn.countAll(), "integer").as("count"))
    .where((eb) => eb(eb.fn.coalesce("i.certificateExpiresAt", "i.secretExpiresAt"), ">", from))
    .where((eb) => eb(eb.fn.coalesce("i.certificateExpiresAt", "i.secretExpiresAt"), "<=", until));
  const [secrets, keys, identityProviders, ofMachines] = await Promise.all([
    ofApps("AppSecret"),
    ofApps("AppKey"),
    countOf(db, own === undefined ? certificates : certificates.where("i.ownerId", "=", own)),
    countOf(db, own === undefined ? machines : machines.where("u.organizationId", "=", own)),
  ]);
  return { apps: secrets + keys, machines: ofMachines, identityProviders };
}

async function countOf(db: Database, query: Parameters<typeof bind<{ count: number }>>[0]): Promise<number> {
  return (await db.one(bind(query)))?.count ?? 0;
}
