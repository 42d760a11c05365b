/**
 * The state that a sign-in carries from page to page: the validated authorization request, sealed. Nothing is stored
 * until a user has authenticated, so page views write nothing, and what was validated cannot be changed.
 */
import type { Context } from "../context";
import type { AuthorizationRequest } from "../protocol/authorization-request";
import type { ForeignIdentity, PendingSignIn, ResendNote } from "./proven";
import type { SignedOutFlow, SignOutFlow } from "./sign-out-flow";

/** The time that a sign-in may take, in milliseconds; after that the flow starts over. */
export const FLOW_LIFETIME = 30 * 60_000;

/**
 * Why an attempt to sign in was refused. `busy`: the queue of password checks is full; the password was not checked.
 * `unavailable`: the password is in another system, which did not answer. `not-remembered`: the cookie of the previous
 * step is missing. `provider-…`: the sign-in at an identity provider failed, was canceled, or its account may not sign
 * in here.
 */
export type SignInError =
  | "missing-login-name"
  | "missing-password"
  | "missing-login-name-and-password"
  | "credentials"
  | "throttled"
  | "busy"
  | "unavailable"
  | "passkey"
  | "not-remembered"
  | "provider-failed"
  | "provider-denied"
  | "provider-refused";

/** A mailed code that this flow waits for. It looks the same whether or not a mail was sent. */
export interface MailedFlow {
  /** Digest of the secret in the mailed link; a random one if no mail was sent. */
  challenge: string;
  /** The recipient as typed, which the page shows. */
  to: string;
  /** Epoch milliseconds. */
  sentAt: number;
  /** The result of the last request for another mail. */
  note?: ResendNote;
  /** The code, once entered, if a later page needs it. */
  code?: string;
  /** Digest of the token of the browser that requested the mail; the code is not accepted in any other. */
  browser: string;
}

/** The state of a sign-in, independent of its purpose. */
interface SignInProgress {
  kind: "sign-in";
  /** Epoch milliseconds. */
  startedAt: number;
  /** The login name as typed, so that users need not type it twice. Never a password. */
  loginName?: string;
  /** The session this flow authenticated; satisfies every request for a fresh authentication. */
  authenticatedSessionId?: string;
  /** The session that the user selected, without a new authentication. */
  selectedSessionId?: string;
  mailed?: MailedFlow;
  /** The organization of the user who has proven their mailbox in this flow, and the only browser it is valid in. */
  mailboxOf?: { organizationId: string; browser: string };
  /** The action that was just completed, for the page that confirms it. */
  done?:
    | "password-reset"
    | "password-changed"
    | "email-confirmed"
    | "account-ready"
    | "passkey-added"
    | "secured"
    | "secured-ask";
  pending?: PendingSignIn;
  foreign?: ForeignIdentity;
  /** The id that its session gets, if it was chosen beforehand: of a session that a login client carries. */
  sessionId?: string;
  /** The challenge that the passkey must sign; stored only in this flow and consumed by the first response. */
  passkeyChallenge?: string;
}

/** The device that waits for approval (RFC 8628). */
export interface FlowDevice {
  id: string;
  clientId: string;
  scope: string[];
  /** The resources that its tokens are for (RFC 8707). */
  resources?: string[];
  userCode: string;
}

/** The request of an application. */
interface ForApplication {
  request: AuthorizationRequest;
  /** The subject of a verified id_token_hint; the hint itself is not kept. */
  hintedUserId?: string;
  /** The session whose user has consented to the application in this flow. */
  confirmedSessionId?: string;
  /** The app has a login of its own, which answers the request under this id, once (rule LOGIN-2). */
  onceId?: string;
}

/** A page of ours that was opened directly. */
interface ForDevice {
  page: "device";
  device: FlowDevice;
}

interface ForPasswordChange {
  page: "change-password";
}

/** A page of the user's own account. */
interface ForAccount {
  page: "account";
  /** Path and query of the page; undefined for the first one. */
  at?: string;
  /** Whether the user must authenticate again. */
  fresh?: boolean;
  /** The organization whose branding and policies apply: that of the recipient of a mail. */
  organizationId?: string;
  /** The address of the app in which an invited user lands instead. */
  landsAt?: string;
  /** The signed-in user to whom an account at an identity provider is linked, instead of signing in. */
  linkTo?: { sessionId: string; userId: string };
}

/** A page of ours that may be opened without a flow, from a bookmark or a mail. */
export type DirectPage = ForPasswordChange | ForAccount;

/** A sign-in without a destination: it ends after the authentication. */
interface ForNothing {
  page?: undefined;
}

/** One member of a union, without any members of the others. */
type OneOf<All, Member extends PropertyKey = KeysOf<All>> = All extends unknown
  ? All & { [Other in Exclude<Member, keyof All>]?: undefined }
  : never;
type KeysOf<All> = All extends unknown ? keyof All : never;

type Destination = OneOf<ForApplication | ForDevice | ForPasswordChange | ForAccount | ForNothing>;

/** Why an attempt to sign in was rejected. */
export type RefusedAttempt =
  | { error: Exclude<SignInError, "throttled">; retryAt?: undefined }
  /** `retryAt`: when the next attempt is allowed, in epoch milliseconds. */
  | { error: "throttled"; retryAt: number | undefined };

/** Why the last attempt was rejected, if it was. */
type LastAttempt = RefusedAttempt | { error?: undefined; retryAt?: undefined };

/**
 * A sign-in with its destination and the result of its last attempt. Its members are flat for compatibility: releases
 * that run side by side read each other's flows.
 */
export type SignInFlow = SignInProgress & Destination & LastAttempt;

/** A flow that an application started. */
export type ApplicationFlow = Extract<SignInFlow, { request: AuthorizationRequest }>;

/** Returns the requested scopes; they may restrict who can sign in. */
export function scopeOf({ request, device }: SignInFlow): readonly string[] {
  return request?.scope ?? device?.scope ?? [];
}

/** A flow without the result of the last attempt. */
type UntriedFlow = SignInProgress & Destination & { error?: undefined; retryAt?: undefined };

/** Returns the flow without the result of the last attempt. */
export function withoutError(flow: SignInFlow): UntriedFlow {
  return { ...flow, error: undefined, retryAt: undefined, passkeyChallenge: undefined };
}

/** Returns the flow without the results of earlier steps either, so that none of them can be used twice. */
export function withoutProgress(flow: SignInFlow): UntriedFlow {
  return { ...withoutError(flow), pending: undefined, mailboxOf: undefined };
}

/** Returns the flow with other scopes. */
export function withScope(flow: SignInFlow, scope: string[]): SignInFlow {
  if (flow.request) return { ...flow, request: { ...flow.request, scope } };
  return flow.device ? { ...flow, device: { ...flow.device, scope } } : flow;
}

/** Returns the flow after a rejected attempt. */
export function refusedFlow(flow: SignInFlow, last: RefusedAttempt): SignInFlow {
  return { ...withoutError(flow), ...last };
}

/** Returns the flow as it began, without what was typed or attempted in it. */
export function withoutTraces(flow: SignInFlow): SignInFlow {
  const { kind, startedAt } = flow;
  if (flow.request) {
    return { kind, startedAt, request: flow.request, hintedUserId: flow.hintedUserId, onceId: flow.onceId };
  }
  switch (flow.page) {
    case "device":
      return { kind, startedAt, page: flow.page, device: flow.device };
    case "account":
      return { kind, startedAt, page: flow.page };
    case "change-password":
      return { kind, startedAt, page: flow.page };
    default:
      return { kind, startedAt };
  }
}

/** The members of a flow as earlier releases stored them, without dependencies between members. */
export type StoredSignInFlow = SignInProgress &
  Partial<Omit<ForApplication & ForAccount, "page">> & {
    page?: "change-password" | "device" | "account";
    device?: FlowDevice;
    error?: SignInError;
    retryAt?: number;
  };

/** Reads a stored flow; members that do not belong together are omitted. */
export function readSignInFlow(stored: StoredSignInFlow): SignInFlow {
  return Object.assign(progressOf(stored), destinationOf(stored), lastAttemptOf(stored));
}

function progressOf(stored: StoredSignInFlow): SignInProgress {
  const { kind, startedAt, loginName, authenticatedSessionId, selectedSessionId } = stored;
  const { mailed, mailboxOf, done, pending, foreign, sessionId, passkeyChallenge } = stored;
  return {
    kind,
    startedAt,
    loginName,
    authenticatedSessionId,
    selectedSessionId,
    mailed,
    mailboxOf,
    done,
    pending,
    foreign,
    sessionId,
    passkeyChallenge,
  };
}

function destinationOf(stored: StoredSignInFlow): Destination {
  const { request, page, device, at, fresh, organizationId, landsAt } = stored;
  if (request) {
    const { hintedUserId, confirmedSessionId, onceId } = stored;
    return { request, hintedUserId, confirmedSessionId, onceId };
  }
  switch (page) {
    case "device":
      return device ? { page, device } : {};
    case "account":
      return { page, at, fresh, organizationId, landsAt };
    case "change-password":
      return { page };
    default:
      return {};
  }
}

function lastAttemptOf({ error, retryAt }: StoredSignInFlow): LastAttempt {
  if (error === undefined) return {};
  return error === "throttled" ? { error, retryAt } : { error };
}

export type Flow = SignInFlow | SignOutFlow | SignedOutFlow;

/** Encrypts a flow for the browser to carry. */
export function sealFlow(ctx: Context, flow: Flow): string {
  return ctx.secrets.seal("flow", JSON.stringify(flow));
}

/**
 * Opens a sealed flow.
 * @returns the flow, which may have expired; undefined if it was not sealed here or is of another kind
 */
export function openFlow<Kind extends Flow["kind"]>(
  ctx: Context,
  kind: Kind,
  sealed: string | undefined,
): { flow: Extract<Flow, { kind: Kind }>; expired: boolean } | undefined {
  const text = sealed === undefined ? undefined : ctx.secrets.open("flow", sealed);
  if (text === undefined) return undefined;
  const stored = JSON.parse(text) as StoredSignInFlow | SignOutFlow | SignedOutFlow;
  if (stored.kind !== kind) return undefined;
  const flow = stored.kind === "sign-in" ? readSignInFlow(stored) : stored;
  const age = ctx.clock() - flow.startedAt;
  return { flow: flow as Extract<Flow, { kind: Kind }>, expired: age > FLOW_LIFETIME };
}
