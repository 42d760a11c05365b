/**
 * Sessions of a browser: started by an authentication, kept alive by use, ended by signing out, by expiry or by a new
 * password. Sessions are always read from the database, never from a cache.
 */
import type { Context } from "../context";
import { digest } from "../crypto/digest";
import { newId } from "../crypto/random";
import { findPolicy } from "../directory/policy/policies";
import { noticesAbout } from "../directory/user/notices";
import { type Cause, type Origin, record, recordNewRows } from "../events/record";
import { countSignIn } from "../metrics/instruments";
import { FEDERATED, isMultiFactor } from "../protocol/authentication-context";
import { deviceName } from "../protocol/device-name";
import type { EndingOffline } from "../storage/grant/ended-grants";
import {
  endSessionRow,
  hasSignedIn,
  hasUnendedSessions,
  listValidSessions,
  type NewSession,
  newSession,
  type SessionRow,
  touchSession,
  wasSignedInOn,
  writeAuthentication,
} from "../storage/session/session";
import { newUserAgentToken, type UserAgent, userAgentDigest } from "./user-agent";

/** The precision of "last seen" in milliseconds; writing it at every request would cost too much. */
const TOUCH_INTERVAL = 60_000;
/** The number of characters of a User-Agent header that are stored. */
const MAX_AGENT_NAME_LENGTH = 400;

/** A session of a browser, with the user it belongs to. */
export type Session = SessionRow;

/** Returns the browser's valid sessions, most recently used first. */
export async function listBrowserSessions(ctx: Context, userAgent: UserAgent): Promise<SessionRow[]> {
  const browser = userAgentDigest(userAgent);
  if (browser === undefined) return [];
  const now = ctx.clock();
  return listValidSessions(ctx.db, browser, now, now - ctx.config.lifetimes.sessionIdle);
}

/**
 * Returns the browser's sessions that an application may get a response for. Each sign-in method is valid for as long
 * as the policy of the user's organization specifies. The other sessions exist until they expire, and can be signed out
 * of.
 */
export async function listCurrentSessions(ctx: Context, userAgent: UserAgent): Promise<SessionRow[]> {
  const now = ctx.clock();
  const sessions = await listBrowserSessions(ctx, userAgent);
  const lifetimes = await Promise.all(sessions.map((session) => lifetimeOf(ctx, session)));
  return sessions.filter(({ authTime }, index) => now - authTime < (lifetimes[index] ?? 0));
}

/** Returns the lifetime of a session in milliseconds. A passkey is both factors at once. */
async function lifetimeOf(ctx: Context, { organizationId, amr }: SessionRow): Promise<number> {
  const policy = await findPolicy(ctx, "login", organizationId);
  const isFirstAlone = amr.split(" ").some((one) => one === "pwd" || one === FEDERATED);
  if (!isFirstAlone) return policy.multiFactorCheckLifetime * 1000;
  const second = isMultiFactor(amr) ? policy.secondFactorCheckLifetime : Number.POSITIVE_INFINITY;
  return Math.min(policy.passwordCheckLifetime, second) * 1000;
}

/** Keeps a session from going idle. */
export async function keepSessionAlive(ctx: Context, session: SessionRow): Promise<void> {
  const now = ctx.clock();
  if (now - session.lastSeenAt >= TOUCH_INTERVAL) await touchSession(ctx.db, session.id, now);
}

export interface Authenticated {
  sessionId: string;
  /** The browser's new cookie value. */
  userAgentToken: string;
}

/**
 * Records an authentication: the browser gets a new token, and the user's session in it is started or renewed.
 * @param amr RFC 8176 values of what was checked
 * @param cause the request, and the client that the user signed in for
 */
export async function authenticate(
  ctx: Context,
  userAgent: UserAgent,
  user: { id: string; organizationId: string },
  amr: readonly string[],
  cause: Cause,
): Promise<Authenticated> {
  const userAgentToken = newUserAgentToken();
  const browser = { oldDigest: userAgentDigest(userAgent), newDigest: digest(userAgentToken) };
  const sessionId = await storeSession(ctx, browser, {
    user,
    isNewDevice: await needsNotice(ctx, browser.oldDigest, user),
    origin: { actor: user.id, ...cause, address: userAgent.address, device: deviceName(userAgent.name ?? "") },
    amr,
    clientAddress: userAgent.address,
    userAgentName: userAgent.name?.slice(0, MAX_AGENT_NAME_LENGTH),
  });
  countSignIn(amr);
  return { sessionId, userAgentToken };
}

/**
 * Returns whether the organization's policy enables notices of new devices, and the user has signed in before, but not
 * on this device.
 */
async function needsNotice(
  ctx: Context,
  browser: string | undefined,
  { id, organizationId }: { id: string; organizationId: string },
): Promise<boolean> {
  const { newDevice } = await findPolicy(ctx, "notification", organizationId);
  if (!newDevice || !(await hasSignedIn(ctx.db, id))) return false;
  return browser === undefined || !(await wasSignedInOn(ctx.db, browser, id));
}

interface Authentication {
  user: { id: string; organizationId: string };
  origin: Origin;
  amr: readonly string[];
  clientAddress: string | undefined;
  userAgentName: string | undefined;
  /** Whether the user gets a notice. */
  isNewDevice: boolean;
}

/** Returns the id of the session. */
async function storeSession(
  ctx: Context,
  { oldDigest, newDigest }: { oldDigest: string | undefined; newDigest: string },
  { user, origin, amr, clientAddress, userAgentName, isNewDevice }: Authentication,
): Promise<string> {
  const id = newId();
  const session = (now: number): NewSession => ({
    id,
    userId: user.id,
    organizationId: user.organizationId,
    amr: amr.join(" "),
    clientAddress: clientAddress ?? null,
    userAgentName: userAgentName ?? null,
    now,
    expiresAt: now + ctx.config.lifetimes.session,
  });
  const payload = (sessionId: string) => ({
    sessionId,
    amr,
    address: clientAddress,
    device: deviceName(userAgentName ?? ""),
  });
  const event = { type: "user.signed_in", aggregateId: user.id, resourceOwner: user.organizationId, origin } as const;
  // The usual case: no user is signed in on this browser, so no sessions must be moved or renewed, and no transaction
  // is needed.
  if (!isNewDevice && (oldDigest === undefined || !(await hasUnendedSessions(ctx.db, oldDigest)))) {
    await recordNewRows(ctx, { ...event, payload: payload(id), rows: (now) => newSession(session(now), newDigest) });
    return id;
  }
  let sessionId = id;
  await record(ctx, {
    ...event,
    async state(tx, now) {
      // A browser without a token has no sessions under its new one yet.
      sessionId = await writeAuthentication(tx, { oldDigest: oldDigest ?? newDigest, newDigest }, session(now));
      const messages = isNewDevice ? await noticesAbout(ctx, tx, user.id, "newDevice", { at: now }, origin) : [];
      return { payload: payload(sessionId), messages };
    },
  });
  return sessionId;
}

/** Ends sessions on behalf of the user they belong to; `offline` as for `signOut`. */
export async function endSessions(
  ctx: Context,
  sessions: readonly EndingSession[],
  cause: Cause,
  offline: EndingOffline,
): Promise<void> {
  for (const session of sessions) await signOut(ctx, session, { actor: session.userId, ...cause }, offline);
}

type EndingSession = Pick<SessionRow, "id" | "userId" | "organizationId">;

/**
 * Ends a session on behalf of the user it belongs to or of an administrator, with its grants.
 * @param offline which grants with offline access also end; all if the user's organization requires that
 */
export async function signOut(
  ctx: Context,
  session: EndingSession,
  origin: Origin,
  offline: EndingOffline,
): Promise<void> {
  const { endOfflineAccessOnSignOut } = await findPolicy(ctx, "login", session.organizationId);
  const ending = endOfflineAccessOnSignOut ? "all" : offline;
  await record(ctx, {
    type: "user.signed_out",
    aggregateId: session.userId,
    resourceOwner: session.organizationId,
    origin,
    async state(tx, now) {
      await endSessionRow(tx, session.id, now, ending);
      return { payload: { sessionId: session.id } };
    },
  });
}
