/**
 * What a sign-in carries from page to page: the validated authorization request, sealed. Nothing is stored until a
 * person has authenticated, so page views write nothing, and nobody can change what was validated.
 */
import type { Context } from "../context";
import type { AuthorizationRequest } from "../protocol/authorization-request";

/** Milliseconds a person may take; after that the flow starts over. */
export const FLOW_LIFETIME = 30 * 60_000;

/**
 * Why an attempt to sign in was refused. `busy`: the queue of password checks is full; the password was not checked.
 * `not-remembered`: the cookie of the previous step is missing.
 */
export type SignInError =
  | "missing-login-name"
  | "missing-password"
  | "missing-login-name-and-password"
  | "credentials"
  | "throttled"
  | "busy"
  | "passkey"
  | "not-remembered";

/**
 * The result of asking for another mail: sent again, too soon after the last one, or too many in an hour. Counted by
 * what was typed, so that it does not reveal whether there is an account.
 */
export type ResendNote = "again" | "too-soon" | "too-many";

/** A mail with a code that this flow waits for. Looks the same whether or not anything was sent. */
export interface MailedFlow {
  /** Digest of the mailed link's secret; a random one where no mail was sent. */
  challenge: string;
  /** The recipient as typed, which the page repeats. */
  to: string;
  /** Epoch milliseconds. */
  sentAt: number;
  /** The result of the last request for another mail. */
  note?: ResendNote;
  /** The code, once entered, where a later page needs it. */
  code?: string;
  /** Digest of the token of the browser that asked; in any other the code is not taken. */
  browser: string;
}

/**
 * A person whose first factor is proven and whose second is not. This is not a session: it is stored nowhere, and is
 * useless in another flow, in another browser, or later.
 */
export interface PendingSignIn {
  /** The attempt, by which wrong codes are counted. */
  id: string;
  userId: string;
  /** RFC 8176 values of what was proven so far. */
  amr: string[];
  /** Epoch milliseconds. */
  at: number;
  /** Digest of the browser's user-agent token. */
  browser: string;
  /** The mailed code, if one was sent. */
  mailed?: { challenge: string; sentAt: number; note?: ResendNote };
}

export interface SignInFlow {
  kind: "sign-in";
  /** What an application asked for; absent where one of our own pages was opened directly. */
  request?: AuthorizationRequest;
  /** Without an application: the page of ours to sign in for. */
  page?: "change-password" | "device" | "account";
  /** With `page`: the person must authenticate again. */
  fresh?: boolean;
  /** With the page `account`: which of the person's own pages, path and query. */
  at?: string;
  /** Without an application: the organization whose brand and policies apply, that of the person a mail was for. */
  organizationId?: string;
  /** The device waiting for approval, RFC 8628. */
  device?: { id: string; clientId: string; scope: string[]; userCode: string };
  /** Epoch milliseconds. */
  startedAt: number;
  /** The subject of a verified id_token_hint; the hint itself is not kept. */
  hintedUserId?: string;
  /** What was typed, so that nobody has to type it twice; never a password. */
  loginName?: string;
  error?: SignInError;
  /** With `throttled`: when the next attempt is allowed, epoch milliseconds. */
  retryAt?: number;
  /** The session this flow authenticated; satisfies every request for a fresh authentication. */
  authenticatedSessionId?: string;
  /** The session the person picked, without a new authentication. */
  selectedSessionId?: string;
  /** The session whose person has agreed to the application in this flow. */
  confirmedSessionId?: string;
  mailed?: MailedFlow;
  /** What was just done, for the page that confirms it. */
  done?: "password-reset" | "password-changed" | "email-confirmed" | "account-ready";
  pending?: PendingSignIn;
  /** What the passkey has to sign; kept only in this flow and consumed by the first answer. */
  passkeyChallenge?: string;
}

/** The requested scopes; they may restrict who can sign in. */
export function scopeOf({ request, device }: SignInFlow): readonly string[] {
  return request?.scope ?? device?.scope ?? [];
}

/** A flow that an application started. */
export type ApplicationFlow = SignInFlow & { request: AuthorizationRequest };

export interface SignOutFlow {
  kind: "sign-out";
  startedAt: number;
  uiLocales: string[];
  /** Checked against the registered addresses before it was sealed. */
  postLogoutRedirectUri?: string;
}

export type Flow = SignInFlow | SignOutFlow;

/** Encrypts a flow for the browser to carry. */
export function sealFlow(ctx: Context, flow: Flow): string {
  return ctx.secrets.seal("flow", JSON.stringify(flow));
}

/** @returns the flow, which may have expired; undefined if it was not sealed here or is of another kind */
export function openFlow<Kind extends Flow["kind"]>(
  ctx: Context,
  kind: Kind,
  sealed: string | undefined,
): { flow: Extract<Flow, { kind: Kind }>; expired: boolean } | undefined {
  const text = sealed === undefined ? undefined : ctx.secrets.open("flow", sealed);
  if (text === undefined) return undefined;
  const flow = JSON.parse(text) as Flow;
  if (flow.kind !== kind) return undefined;
  const age = ctx.clock() - flow.startedAt;
  return { flow: flow as Extract<Flow, { kind: Kind }>, expired: age > FLOW_LIFETIME };
}
