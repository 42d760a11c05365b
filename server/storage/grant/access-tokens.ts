/**
 * Rows of access tokens. Every token has one, JWT or opaque, so that revocation, logout, a password change and the
 * deactivation of a user, app or organization take effect from the next request on.
 */
import type { Database, Insert } from "../database";
import { columnsIn, type Params, statement, tables, truth } from "../statement";
import { CLAIM_COLUMNS, type ClaimsRow, claimExpressions } from "../user/claims";
import { assertionUse } from "./assertions";

/** Times are epoch milliseconds; scope and audience are space-delimited. */
export interface AccessTokenRow {
  id: string;
  grantId: string | null;
  clientId: string;
  userId: string | null;
  scope: string;
  audience: string;
  createdAt: number;
  expiresAt: number;
  /** The thumbprint of the key that it is bound to (RFC 9449); null for a bearer token. */
  jkt: string | null;
}

export const accessTokenInsert = (token: AccessTokenRow): Insert => ({
  table: "AccessToken",
  row: { ...token, revokedAt: null },
});

export interface ValidToken extends AccessTokenRow {
  /** The user's organization. */
  organizationId: string | null;
  sessionId: string | null;
  authTime: number | null;
  amr: string | null;
  acr: string | null;
  claimsRequest: string | null;
  /** Who acts for the user, as the act claim in JSON (RFC 8693 §4.1). */
  actor: string | null;
  actorUserId: string | null;
  actorSessionId: string | null;
  grantExpiresAt: number | null;
  /** Whether its client may use the management APIs now; always for clients without an app: the console, machines. */
  mayManage: boolean;
}

/**
 * Whether the actor of a grant `g`, if there is one, is still valid: active, in an active organization, not signed out
 * everywhere, and with a session that has not ended.
 */
export function hasValidActor() {
  const eb = columnsIn<{ g: "Grant"; au: "User"; aus: "Session" }>();
  const actor = tables
    .selectFrom("User as au")
    .innerJoin("Organization as auo", "auo.id", "au.organizationId")
    .leftJoin("Session as aus", (join) => join.on(eb("aus.id", "=", eb.ref("g.actorSessionId"))))
    .select((of) => of.lit(1).as("one"))
    .where(eb("au.id", "=", eb.ref("g.actorUserId")))
    .where("au.state", "=", "active")
    .where("auo.state", "=", "active")
    .where(eb("g.createdAt", ">=", eb.ref("au.validFrom")))
    .where(eb("aus.endedAt", "is", null));
  return eb.or([eb("g.actorUserId", "is", null), eb.exists(actor)]);
}

/** The id of a token, the time, and the time after which its session must have been seen. */
interface TokenKey {
  id: string;
  now: number;
  idleSince: number;
}

/**
 * Whether the session `s` of a grant `g` has neither ended nor expired nor become idle. A grant with refresh tokens
 * does not depend on its session (OIDC Core §11); one that ends with its session is revoked (rule SIGNOUT-4).
 */
function hasValidSession($: Params<Pick<TokenKey, "now" | "idleSince">>) {
  const eb = columnsIn<{ g: "Grant"; s: "Session" }>();
  return eb.or([
    eb("s.id", "is", null),
    eb("g.refreshIdleUntil", "is not", null),
    eb.and([eb("s.endedAt", "is", null), eb("s.expiresAt", ">", $("now")), eb("s.lastSeenAt", ">", $("idleSince"))]),
  ]);
}

/** Selects a token and everything it depends on. */
const selectValid = ($: Params<TokenKey>) =>
  tables
    .selectFrom("AccessToken as t")
    .leftJoin("User as u", "u.id", "t.userId")
    .leftJoin("Organization as uo", "uo.id", "u.organizationId")
    .leftJoin("Grant as g", "g.id", "t.grantId")
    .leftJoin("Session as s", "s.id", "g.sessionId")
    .leftJoin("App as a", "a.clientId", "t.clientId")
    .leftJoin("Project as p", "p.id", "a.projectId")
    .leftJoin("Organization as ao", "ao.id", "p.organizationId")
    .select([
      "t.id",
      "t.grantId",
      "t.clientId",
      "t.userId",
      "t.scope",
      "t.audience",
      "t.createdAt",
      "t.expiresAt",
      "t.jkt",
    ])
    .select(["g.sessionId", "g.authTime", "g.amr", "g.acr", "g.claimsRequest", "g.actor", "g.actorUserId"])
    .select(["g.actorSessionId", "g.expiresAt as grantExpiresAt"])
    .select((eb) => truth(eb.or([eb("a.id", "is", null), eb.ref("a.mayManage").$notNull()])).as("mayManage"))
    .where("t.id", "=", $("id"))
    .where("t.revokedAt", "is", null)
    .where("t.expiresAt", ">", $("now"))
    .where((eb) =>
      eb.or([
        eb("t.userId", "is", null),
        eb.and([
          eb("u.state", "=", "active"),
          eb("uo.state", "=", "active"),
          eb("t.createdAt", ">=", eb.ref("u.validFrom")),
        ]),
      ]),
    )
    .where((eb) =>
      eb.or([
        eb("t.grantId", "is", null),
        eb.and([
          eb("g.revokedAt", "is", null),
          eb("g.createdAt", ">=", eb.ref("u.validFrom")),
          hasValidSession($),
          hasValidActor(),
        ]),
      ]),
    )
    .where((eb) =>
      eb.or([
        eb("a.id", "is", null),
        eb.and([eb("a.state", "=", "active"), eb("p.state", "=", "active"), eb("ao.state", "=", "active")]),
      ]),
    )
    // clients without an app
    .where((eb) =>
      eb.or([
        eb("a.id", "is not", null),
        eb("t.clientId", "=", "console"),
        eb.and([eb("u.kind", "=", "machine"), eb("u.userName", "=", eb.ref("t.clientId"))]),
      ]),
    );

const validToken = statement(($: Params<TokenKey>) => selectValid($).select("u.organizationId"));

/**
 * Returns the token if it is valid at `now`. One statement checks everything it depends on.
 * @param idleSince sessions that were last seen before this time are idle, epoch milliseconds
 */
export function findValidToken(
  db: Database,
  id: string,
  now: number,
  idleSince: number,
): Promise<ValidToken | undefined> {
  return db.lookUp(validToken({ id, now, idleSince }));
}

/**
 * A valid token and its user, read in one statement. The user is undefined for a token of an app that acts for itself.
 */
export interface ValidTokenAndUser {
  token: ValidToken;
  user: ClaimsRow | undefined;
}

const validTokenAndUser = statement(($: Params<TokenKey>) =>
  selectValid($).select(CLAIM_COLUMNS).select(claimExpressions()).$castTo<ValidToken & ClaimsRow>(),
);

/** Returns a valid token together with its user, in one statement. */
export async function findValidTokenAndUser(
  db: Database,
  id: string,
  now: number,
  idleSince: number,
): Promise<ValidTokenAndUser | undefined> {
  const row = await db.lookUp(validTokenAndUser({ id, now, idleSince }));
  return row && { token: row, user: row.userId === null ? undefined : row };
}

interface Revocation {
  id: string;
  clientId: string;
  now: number;
}

const revokeOfClient = ($: Params<Revocation>) =>
  tables
    .updateTable("AccessToken")
    .set({ revokedAt: $("now") })
    .where("id", "=", $("id"))
    .where("clientId", "=", $("clientId"))
    .where("revokedAt", "is", null);
const revokeToken = statement(revokeOfClient);
const revokeTokenOfUser = statement(($: Params<Revocation & { userId: string }>) =>
  revokeOfClient($).where("userId", "=", $("userId")),
);

/**
 * Revokes one access token of the client. Its grant and the other tokens of the grant stay valid (rule REVOKE-1).
 * @returns the number of revoked tokens: 0 if the token is unknown, belongs to another client or has ended
 */
export function revokeAccessToken(
  db: Database,
  id: string,
  { clientId, userId }: RevocationScope,
  now: number,
): Promise<number> {
  return db.run(
    userId === undefined ? revokeToken({ id, clientId, now }) : revokeTokenOfUser({ id, clientId, now, userId }),
  );
}

/** The client whose tokens may be revoked. */
export interface RevocationScope {
  clientId: string;
  /** Set for a machine user, because other organizations may have one with the same name. */
  userId?: string;
}

/**
 * Stores an access token, in one unit with consuming what it is issued for, if anything.
 * @returns false, with nothing stored, if that was used before
 */
export function insertAccessToken(
  db: Database,
  token: AccessTokenRow,
  used?: { id: string; expiresAt: number },
): Promise<boolean> {
  return db.commit({ ...(used ? { guard: assertionUse(used) } : {}), inserts: [accessTokenInsert(token)] });
}
