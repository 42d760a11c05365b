/**
 * What a sign-in carries from page to page: the validated authorization request, sealed. Nothing is stored until a
 * person has authenticated, so page views write nothing, and nobody can change what was validated.
 */
import type { Context } from "../context";
import type { AuthorizationRequest } from "../protocol/authorization-request";
import type { SentKind } from "../protocol/second-factor";

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
  /** The code that was sent last, if one was. `kind`: through which channel; releases before this one only knew mail. */
  mailed?: { kind?: SentKind; challenge: string; sentAt: number; note?: ResendNote };
}

/** What every sign-in may carry, whatever it is for. */
interface SignInProgress {
  kind: "sign-in";
  /** Epoch milliseconds. */
  startedAt: number;
  /** What was typed, so that nobody has to type it twice; never a password. */
  loginName?: string;
  /** The session this flow authenticated; satisfies every request for a fresh authentication. */
  authenticatedSessionId?: string;
  /** The session the person picked, without a new authentication. */
  selectedSessionId?: string;
  mailed?: MailedFlow;
  /** The organization of the person who has proven their mailbox in this flow, in this browser only. */
  mailboxOf?: { organizationId: string; browser: string };
  /** What was just done, for the page that confirms it. */
  done?:
    | "password-reset"
    | "password-changed"
    | "email-confirmed"
    | "account-ready"
    | "passkey-added"
    | "secured"
    | "secured-ask";
  pending?: PendingSignIn;
  /** What the passkey has to sign; kept only in this flow and consumed by the first answer. */
  passkeyChallenge?: string;
}

/** The device waiting for approval, RFC 8628. */
export interface FlowDevice {
  id: string;
  clientId: string;
  scope: string[];
  userCode: string;
}

/** What an application asked for. */
interface ForApplication {
  request: AuthorizationRequest;
  /** The subject of a verified id_token_hint; the hint itself is not kept. */
  hintedUserId?: string;
  /** The session whose person has agreed to the application in this flow. */
  confirmedSessionId?: string;
}

/** A page of ours that was opened directly. */
interface ForDevice {
  page: "device";
  device: FlowDevice;
}

interface ForPasswordChange {
  page: "change-password";
}

/** A page of the person's own account. */
interface ForAccount {
  page: "account";
  /** Which page, path and query; undefined: the first. */
  at?: string;
  /** The person must authenticate again. */
  fresh?: boolean;
  /** Whose brand and policies apply: the organization of the person a mail was for. */
  organizationId?: string;
}

/** A page of ours that may be opened without a flow, from a bookmark or a mail. */
export type DirectPage = ForPasswordChange | ForAccount;

/** Nothing waits for this sign-in; where it ends, it is over. */
interface ForNothing {
  page?: undefined;
}

/** One of them, and none of the members of the others. */
type OneOf<All, Member extends PropertyKey = KeysOf<All>> = All extends unknown
  ? All & { [Other in Exclude<Member, keyof All>]?: undefined }
  : never;
type KeysOf<All> = All extends unknown ? keyof All : never;

type Destination = OneOf<ForApplication | ForDevice | ForPasswordChange | ForAccount | ForNothing>;

/** How an attempt to sign in was refused. */
export type RefusedAttempt =
  | { error: Exclude<SignInError, "throttled">; retryAt?: undefined }
  /** `retryAt`: when the next attempt is allowed, epoch milliseconds. */
  | { error: "throttled"; retryAt: number | undefined };

/** How the last attempt ended, if it was refused. */
type LastAttempt = RefusedAttempt | { error?: undefined; retryAt?: undefined };

/**
 * A sign-in by what it is for and how its last attempt ended. Its members are written flat, as they always were, so that
 * releases that run beside each other read each other's flows.
 */
export type SignInFlow = SignInProgress & Destination & LastAttempt;

/** A flow that an application started. */
export type ApplicationFlow = Extract<SignInFlow, { request: AuthorizationRequest }>;

/** The requested scopes; they may restrict who can sign in. */
export function scopeOf({ request, device }: SignInFlow): readonly string[] {
  return request?.scope ?? device?.scope ?? [];
}

/** A flow whose last attempt is forgotten. */
type UntriedFlow = SignInProgress & Destination & { error?: undefined; retryAt?: undefined };

/** The flow without how the last attempt ended. */
export function withoutError(flow: SignInFlow): UntriedFlow {
  return { ...flow, error: undefined, retryAt: undefined, passkeyChallenge: undefined };
}

/** The flow without what earlier steps left in it either, so that none of it can be used twice. */
export function withoutProgress(flow: SignInFlow): UntriedFlow {
  return { ...withoutError(flow), pending: undefined, mailboxOf: undefined };
}

/** The flow with other scopes. */
export function withScope(flow: SignInFlow, scope: string[]): SignInFlow {
  if (flow.request) return { ...flow, request: { ...flow.request, scope } };
  return flow.device ? { ...flow, device: { ...flow.device, scope } } : flow;
}

/** The flow after an attempt that was refused. */
export function refusedFlow(flow: SignInFlow, last: RefusedAttempt): SignInFlow {
  return { ...withoutError(flow), ...last };
}

/** The flow as it began, without what was typed or attempted in it. */
export function withoutTraces(flow: SignInFlow): SignInFlow {
  const { kind, startedAt } = flow;
  if (flow.request) return { kind, startedAt, request: flow.request, hintedUserId: flow.hintedUserId };
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

/** The members of a flow as releases before this one stored them: none of them was tied to another. */
export type StoredSignInFlow = SignInProgress &
  Partial<Omit<ForApplication & ForAccount, "page">> & {
    page?: "change-password" | "device" | "account";
    device?: FlowDevice;
    error?: SignInError;
    retryAt?: number;
  };

/** A stored flow; members that do not belong together are left out. */
export function readSignInFlow(stored: StoredSignInFlow): SignInFlow {
  return Object.assign(progressOf(stored), destinationOf(stored), lastAttemptOf(stored));
}

function progressOf(stored: StoredSignInFlow): SignInProgress {
  const { kind, startedAt, loginName, authenticatedSessionId, selectedSessionId } = stored;
  const { mailed, mailboxOf, done, pending, passkeyChallenge } = stored;
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
    passkeyChallenge,
  };
}

function destinationOf(stored: StoredSignInFlow): Destination {
  const { request, page, device } = stored;
  if (request) return { request, hintedUserId: stored.hintedUserId, confirmedSessionId: stored.confirmedSessionId };
  switch (page) {
    case "device":
      return device ? { page, device } : {};
    case "account":
      return { page, at: stored.at, fresh: stored.fresh, organizationId: stored.organizationId };
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

export interface SignOutFlow {
  kind: "sign-out";
  startedAt: number;
  uiLocales: string[];
  /** Checked against the registered addresses before it was sealed. */
  postLogoutRedirectUri?: string;
  /** The app that asks, if one does. */
  clientId?: string;
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
  const stored = JSON.parse(text) as StoredSignInFlow | SignOutFlow;
  if (stored.kind !== kind) return undefined;
  const flow = stored.kind === "sign-in" ? readSignInFlow(stored) : stored;
  const age = ctx.clock() - flow.startedAt;
  return { flow: flow as Extract<Flow, { kind: Kind }>, expired: age > FLOW_LIFETIME };
}
