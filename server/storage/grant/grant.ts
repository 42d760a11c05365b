/**
 * Rows of grants. One conditional statement decides single use: a code is redeemed if and only if the statement changed
 * a row (RFC 6749 §4.1.2). For refresh tokens see refresh.ts.
 */

import type { Database, Insert } from "../database";
import { columnsIn, type Params, statement, tables, truth } from "../statement";
import type { AccessTokenRow } from "./access-tokens";
import { accessTokenInsert, hasValidActor } from "./access-tokens";
import { assertionUse } from "./assertions";

/** The actor of a grant who acts for the user, and on what basis; all null without an actor. */
export interface Delegation {
  /** The act claim as JSON, RFC 8693 §4.1. */
  actor: string | null;
  actorUserId: string | null;
  /** The session of the actor. */
  actorSessionId: string | null;
  /** The grant it was exchanged from. */
  parentId: string | null;
}

/** Times are epoch milliseconds. */
export interface GrantRow {
  id: string;
  clientId: string;
  userId: string;
  sessionId: string | null;
  scope: string;
  audience: string;
  nonce: string | null;
  claimsRequest: string | null;
  authTime: number;
  amr: string;
  acr: string | null;
  codeDigest: string | null;
  codeExpiresAt: number | null;
  codeConsumedAt: number | null;
  redirectUri: string | null;
  codeChallenge: string | null;
  refreshGeneration: number;
  refreshedAt: number | null;
  refreshIdleUntil: number | null;
  /** The answer that issued the current refresh token, see refresh-answers.ts; null if stored by an earlier version. */
  refreshAnswer: string | null;
  createdAt: number;
  expiresAt: number;
  revokedAt: number | null;
  /** The thumbprint of the key that the next token request must prove (RFC 9449); null for any or none. */
  jkt: string | null;
}

/** The defaults of a new grant: no code, no refresh token, no expiry of its own. */
const NEW_GRANT = {
  nonce: null,
  claimsRequest: null,
  codeDigest: null,
  codeExpiresAt: null,
  codeConsumedAt: null,
  redirectUri: null,
  codeChallenge: null,
  refreshGeneration: 0,
  refreshedAt: null,
  refreshIdleUntil: null,
  refreshAnswer: null,
  revokedAt: null,
  jkt: null,
} as const satisfies Partial<GrantRow>;

/** A grant, and whether its session, user and organization are still valid. */
export interface ValidGrant extends GrantRow, Delegation {
  /** The user's organization. */
  organizationId: string;
  /** When its session expires; null without a session. */
  sessionExpiresAt: number | null;
  isValid: boolean;
}

export function grantRow<Said extends Omit<GrantRow, keyof typeof NEW_GRANT>>(said: Said): GrantRow & Said {
  return { ...NEW_GRANT, ...said };
}

/** A grant to be stored, by default without an actor. */
export type NewGrant = GrantRow & Partial<Delegation>;

const UNDELEGATED: Delegation = { actor: null, actorUserId: null, actorSessionId: null, parentId: null };

export const grantInsert = (grant: NewGrant): Insert => ({
  table: "Grant",
  row: { ...UNDELEGATED, ...grant },
});

/** Returns the inserts of a grant and of the access token in the same response, if any. */
export function grantInserts(grant: NewGrant, accessToken?: AccessTokenRow): Insert[] {
  return [grantInsert(grant), ...(accessToken ? [accessTokenInsert(accessToken)] : [])];
}

/**
 * Stores the tokens that are issued for an assertion, in one unit with consuming the assertion.
 * @param issue.assertion undefined if the assertion may be reused
 * @returns false, with nothing stored, if it was used before
 */
export function insertByAssertion(
  db: Database,
  issue: {
    assertion: { id: string; expiresAt: number } | undefined;
    grant: NewGrant | undefined;
    accessToken: AccessTokenRow;
    event?: readonly Insert[];
  },
): Promise<boolean> {
  const { assertion, grant, accessToken, event = [] } = issue;
  return db.commit({
    ...(assertion ? { guard: assertionUse(assertion) } : {}),
    inserts: [...(grant ? [grantInsert(grant)] : []), accessTokenInsert(accessToken), ...event],
  });
}

/** Changes nothing, but waits for a concurrent revocation of the grant, or makes it see a new grant. */
const touchGrant = statement(($: Params<{ id: string }>) =>
  tables
    .updateTable("Grant")
    .set((eb) => ({ parentId: eb.ref("parentId") }))
    .where("id", "=", $("id"))
    .where("revokedAt", "is", null),
);

/**
 * Stores the result of a token exchange in one unit: the grant, its access token and the event.
 * @param exchange.assertion the client's JWT to consume
 * @returns false if the grant it was exchanged from has ended meanwhile, or the JWT was used before
 */
export function insertExchanged(
  db: Database,
  exchange: {
    grant: NewGrant;
    accessToken: AccessTokenRow | undefined;
    event: readonly Insert[];
    assertion: { id: string; expiresAt: number } | undefined;
  },
): Promise<boolean> {
  const { grant, accessToken, event, assertion } = exchange;
  const inserts = [grantInsert(grant), ...(accessToken ? [accessTokenInsert(accessToken)] : []), ...event];
  if (assertion) return db.commit({ guard: assertionUse(assertion), inserts });
  if (!grant.parentId) return db.commit({ inserts });
  return db.commit({ guard: touchGrant({ id: grant.parentId }), inserts });
}

/**
 * Records what was issued for a grant without a token of its own.
 * @returns false, with nothing stored, if the grant has ended meanwhile
 */
export function recordIssued(db: Database, grantId: string, event: readonly Insert[]): Promise<boolean> {
  return db.commit({ guard: touchGrant({ id: grantId }), inserts: [...event] });
}

/**
 * Whether a grant `g` outlives its session `s` (rule SIGNOUT-4). Grants that end with the session are revoked at its
 * end; this condition also covers those that are stored while the session ends.
 */
export function outlivesSession() {
  const eb = columnsIn<{ g: "Grant"; s: "Session" }>();
  return eb.or([eb("s.endedAt", "is", null), eb("g.refreshIdleUntil", "is not", null)]);
}

/** `isValid` is false after a password change, after its session ended, or if user or organization are inactive. */
const selectWithValidity = () =>
  tables
    .selectFrom("Grant as g")
    .innerJoin("User as u", "u.id", "g.userId")
    .innerJoin("Organization as o", "o.id", "u.organizationId")
    .leftJoin("Session as s", "s.id", "g.sessionId")
    .selectAll("g")
    .select(["u.organizationId", "s.expiresAt as sessionExpiresAt"])
    .select((eb) =>
      truth(
        eb.and([
          eb("u.state", "=", "active"),
          eb("o.state", "=", "active"),
          eb("g.createdAt", ">=", eb.ref("u.validFrom")),
          outlivesSession(),
          hasValidActor(),
        ]),
      ).as("isValid"),
    );

const grantOfCode = statement(($: Params<{ codeDigest: string }>) =>
  selectWithValidity().where("g.codeDigest", "=", $("codeDigest")),
);
const grantOfId = statement(($: Params<{ id: string }>) => selectWithValidity().where("g.id", "=", $("id")));

export function findGrantByCode(db: Database, codeDigest: string): Promise<ValidGrant | undefined> {
  return db.lookUp(grantOfCode({ codeDigest }));
}

export function findGrant(db: Database, id: string): Promise<ValidGrant | undefined> {
  return db.lookUp(grantOfId({ id }));
}

/** The changes of a grant when its code is redeemed. Epoch milliseconds. */
export interface Redeemed {
  /** Null if no refresh token is issued. */
  refreshIdleUntil: number | null;
  /** The end of the grant and of all its refresh tokens. */
  expiresAt: number;
  /** The key that its refresh tokens are bound to. */
  jkt: string | null;
}

const consumeCode = statement(($: Params<Redeemed & { codeDigest: string; now: number }>) =>
  tables
    .updateTable("Grant")
    .set({
      codeConsumedAt: $("now"),
      refreshIdleUntil: $("refreshIdleUntil"),
      expiresAt: $("expiresAt"),
      jkt: $("jkt"),
    })
    .where("codeDigest", "=", $("codeDigest"))
    .where("codeConsumedAt", "is", null)
    .where("codeExpiresAt", ">", $("now"))
    .where("revokedAt", "is", null),
);

/** Redeems a code. Returns true for at most one caller. */
export function redeemCode(
  db: Database,
  codeDigest: string,
  now: number,
  accessToken: AccessTokenRow,
  { refreshIdleUntil, expiresAt, jkt }: Redeemed,
): Promise<boolean> {
  return db.commit({
    guard: consumeCode({ codeDigest, now, refreshIdleUntil, expiresAt, jkt }),
    inserts: [accessTokenInsert(accessToken)],
  });
}
