/**
 * The user's side of device authorization (RFC 8628 §3.3): type the code, sign in, approve or deny the device. The code
 * belongs to the first session that opens it, attempts are counted, and nothing is approved without a click on a page
 * that names the app, because the code may come from a stranger (§5.4, remote phishing).
 */
import type { Context } from "../context";
import { findClient } from "../directory/app/app";
import { checkAppAccess, listAdmittedSessions, reasonOfNoAccess } from "../oidc/app-access";
import { newGrant } from "../oidc/authorization-response";
import { noteForLogout } from "../oidc/backchannel/deliver";
import { lifetimesFor } from "../oidc/client-lifetimes";
import { DEVICE_CODE_LIFETIME, userCodeDigest } from "../oidc/endpoints/device-authorization";
import type { FlowDevice } from "../oidc/flow";
import { noteRefusal } from "../oidc/note-refused-request";
import { checkResourceAccess, resourcesOf } from "../oidc/resources";
import type { Client } from "../protocol/client";
import { formatUserCode, normalizeUserCode } from "../protocol/device";
import { isError } from "../protocol/oauth-error";
import type { AttemptReason } from "../protocol/sign-in-attempt";
import { refreshUntil } from "../protocol/token-expiry";
import type { UserAgent } from "../sessions/user-agent";
import {
  allowDevice,
  claimDevice,
  type DeviceAuthorizationRow,
  denyDevice,
  findDeviceAuthorization,
  findWaitingDevice,
} from "../storage/grant/device-authorizations";
import type { SessionRow } from "../storage/session/session";
import { counter, countFailures, limits, networkOf, tally } from "../throttle";

export type OpenedCode =
  | { kind: "opened"; device: FlowDevice }
  /** Mistyped, expired, answered, or another user's: the page does not reveal which. */
  | { kind: "unknown-code" }
  /** Too many codes were tried from this network; epoch milliseconds. */
  | { kind: "throttled"; retryAt: number };

/** Looks up the typed code; a wrong one is counted against its network. */
export async function openUserCode(ctx: Context, typed: string, userAgent: UserAgent): Promise<OpenedCode> {
  const counters = [counter(limits.userCodeFrom, networkOf(userAgent.address))];
  const { blockedUntil } = await tally(ctx, counters);
  if (blockedUntil !== undefined) return { kind: "throttled", retryAt: blockedUntil };
  const code = normalizeUserCode(typed);
  if (code === undefined) return { kind: "unknown-code" }; // does not have the form of a code, so it is not a guess
  const device = await findWaitingDevice(ctx.db, userCodeDigest(ctx, code), ctx.clock());
  if (!device || !(await findClient(ctx, device.clientId))) {
    const retryAt = await countFailures(ctx, counters);
    return retryAt === undefined ? { kind: "unknown-code" } : { kind: "throttled", retryAt };
  }
  const scope = device.scope.split(" ").filter((word) => word !== "");
  return {
    kind: "opened",
    device: {
      id: device.id,
      clientId: device.clientId,
      scope,
      resources: device.resources?.split(" "),
      userCode: formatUserCode(code),
    },
  };
}

/** Binds the code to a session; false if another session has opened it before. */
export function claimForSession(ctx: Context, device: FlowDevice, sessionId: string): Promise<boolean> {
  return claimDevice(ctx.db, device.id, sessionId, ctx.clock());
}

/** A device that waits for a decision in a session of this browser. */
export interface WaitingDevice {
  row: DeviceAuthorizationRow;
  client: Client;
  session: SessionRow;
}

/**
 * Returns the device; undefined if it was answered, has expired, or belongs to a session that is not (or no longer)
 * this browser's.
 */
export async function waitingDevice(
  ctx: Context,
  device: FlowDevice,
  userAgent: UserAgent,
): Promise<WaitingDevice | undefined> {
  const row = await findDeviceAuthorization(ctx.db, device.id);
  if (!row || row.expiresAt <= ctx.clock() || row.deniedAt !== null || row.grantId !== null) return undefined;
  const sessions = await listAdmittedSessions(ctx, device.scope, userAgent);
  const session = isError(sessions) ? undefined : sessions.find(({ id }) => id === row.sessionId);
  const client = await findClient(ctx, row.clientId);
  return session && client ? { row, client, session } : undefined;
}

export type DeviceAnswer = "allowed" | "denied" | "not-admitted" | "too-late";

/** Stores the user's decision; only the first one counts, and later ones get it as their result. */
export async function answerDevice(
  ctx: Context,
  device: FlowDevice,
  allow: boolean,
  userAgent: UserAgent,
): Promise<DeviceAnswer> {
  const waiting = await waitingDevice(ctx, device, userAgent);
  const answered = () => answeredBefore(ctx, device, allow, userAgent);
  if (!waiting) return answered();
  const { row, client, session } = waiting;
  const now = ctx.clock();
  const person = { id: session.userId, organizationId: session.organizationId };
  const note = (reason: AttemptReason) => noteRefusal(ctx, { target: client, client, userAgent, person }, reason);
  if (!allow) note("consent_refused");
  if (!allow) return (await denyDevice(ctx.db, row.id, session.id, now)) ? "denied" : answered();
  const resources = await resourcesOf(ctx, device);
  if ((await checkAppAccess(ctx, client, session)) ?? (await checkResourceAccess(ctx, resources, session))) {
    note(await reasonOfNoAccess(ctx, client, session));
    await denyDevice(ctx.db, row.id, session.id, now);
    return "not-admitted";
  }
  const grant = await newGrant(
    ctx,
    client,
    { scope: device.scope, resources: device.resources },
    session,
    DEVICE_CODE_LIFETIME,
  );
  const offline = device.scope.includes("offline_access");
  const lifetimes = await lifetimesFor(ctx, client);
  const expiresAt = offline ? now + lifetimes.refreshToken : grant.expiresAt;
  const refreshIdleUntil = offline ? refreshUntil(now, expiresAt, lifetimes) : null;
  await noteForLogout(ctx, client, session);
  const allowed = await allowDevice(ctx.db, row.id, session.id, { ...grant, expiresAt, refreshIdleUntil }, now);
  return allowed ? "allowed" : answered();
}

/** Without scripts, a button can be pressed twice; a browser then only shows the response to the second press. */
async function answeredBefore(
  ctx: Context,
  device: FlowDevice,
  allow: boolean,
  userAgent: UserAgent,
): Promise<DeviceAnswer> {
  const row = await findDeviceAuthorization(ctx.db, device.id);
  if (!row || row.expiresAt <= ctx.clock()) return "too-late";
  const sessions = await listAdmittedSessions(ctx, device.scope, userAgent);
  if (isError(sessions) || !sessions.some(({ id }) => id === row.sessionId)) return "too-late";
  if (allow) return row.grantId !== null && row.deniedAt === null ? "allowed" : "too-late";
  return row.deniedAt !== null ? "denied" : "too-late";
}
