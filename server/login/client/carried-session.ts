/**
 * The session of a login client: a program with its own sign-in pages, which carries the sign-in of one user. It
 * contains what a browser and our pages have: the browser's token, and the flow with what was proven. As on our pages,
 * nothing is stored before the last factor, so the session's token is sealed state until then. A stored session moves
 * to another browser token with every authentication, and older tokens no longer name it.
 */
import type { Context } from "../../context";
import { newId } from "../../crypto/random";
import { readSignInFlow, type SignInFlow } from "../../oidc/flow";
import { pendingOf } from "../../oidc/pending-sign-in";
import { listCurrentSessions } from "../../sessions/session";
import { newUserAgentToken, type UserAgent } from "../../sessions/user-agent";
import type { SessionRow } from "../../storage/session/session";
import type { ClientData } from "./client-data";

export type CheckedFactor = "password" | "intent" | "webAuthN" | "totp" | "otpEmail" | "otpSms" | "recoveryCode";

export interface CarriedSession {
  id: string;
  /** The token of the browser that it is in. */
  browser: string;
  /** The address and the name of the device in front of the user, as the login client sends them. */
  address?: string;
  agentName?: string;
  /** Absent in tokens of releases that did not note it. */
  client?: ClientData;
  flow: SignInFlow;
  /** The user, once the login client has named one by id, or a factor is proven. */
  userId?: string;
  /** When each factor was proven, in epoch milliseconds. */
  factors: Partial<Record<CheckedFactor, number>>;
  /** Set once the last required factor is proven and the session is stored, which it is until it ends. */
  wasStored?: true;
  /** Epoch milliseconds. */
  createdAt: number;
}

type Device = Pick<CarriedSession, "address" | "agentName" | "client">;

export function newCarriedSession(ctx: Context, device: Device): CarriedSession {
  const id = newId();
  const createdAt = ctx.clock();
  const flow: SignInFlow = { kind: "sign-in", startedAt: createdAt, sessionId: id };
  return { id, browser: newUserAgentToken(), ...device, flow, factors: {}, createdAt };
}

/** Returns the session token. */
export const sealCarriedSession = (ctx: Context, carried: CarriedSession): string =>
  ctx.secrets.seal("login-session", JSON.stringify(carried));

/** Returns the session of a token; undefined if the token is for another id, or too old. */
export function openCarriedSession(ctx: Context, id: string, token: string): CarriedSession | undefined {
  const text = ctx.secrets.open("login-session", token);
  const carried = text === undefined ? undefined : (JSON.parse(text) as CarriedSession);
  if (carried?.id !== id || ctx.clock() > lastMomentOf(ctx, carried)) return undefined;
  return { ...carried, flow: readSignInFlow(carried.flow) };
}

/** When the token expires at the latest, in epoch milliseconds. */
export const lastMomentOf = (ctx: Context, { createdAt, client }: CarriedSession): number =>
  Math.min(createdAt + ctx.config.lifetimes.session, client?.expiresAt ?? Number.POSITIVE_INFINITY);

export const browserOf = ({ browser, address, agentName }: CarriedSession): UserAgent => ({
  token: browser,
  address,
  name: agentName,
});

/** Returns the stored session; undefined before its last factor, and once it has ended or expired. */
export async function findStoredSession(ctx: Context, carried: CarriedSession): Promise<SessionRow | undefined> {
  const sessions = await listCurrentSessions(ctx, browserOf(carried));
  return sessions.find(({ id }) => id === carried.id);
}

/** Whether a factor is proven: the session is stored, or waits for its second factor. */
export const isWaiting = (ctx: Context, carried: CarriedSession): boolean =>
  pendingOf(ctx, carried.flow, browserOf(carried)) !== undefined;
