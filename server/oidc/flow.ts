/**
 * What a sign-in carries from page to page: the validated authorization request, sealed. Nothing is stored until a
 * person authenticated, so page views write nothing, and nobody can change what was validated (design: "Screen").
 */
import type { Context } from "../context";
import type { AuthorizationRequest } from "../protocol/authorization-request";

/** How long a person may take, milliseconds; after that the flow starts again by itself. */
export const FLOW_LIFETIME = 30 * 60_000;

/** What the sign-in page says after a refused attempt; the words are the page's. */
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
 * What became of asking for another mail: sent again, too soon after the last one, or too many in an hour. Counted by
 * what was typed, so that it tells nothing of whether there is an account.
 */
export type ResendNote = "again" | "too-soon" | "too-many";

/** A mail with a code that this flow waits for. Looks the same whether or not anything was sent. */
export interface MailedFlow {
  /** Digest of the mailed link's secret; of nothing, where there was nobody to write to. */
  challenge: string;
  /** As typed: whom the page says it has written to. */
  to: string;
  /** Epoch milliseconds. */
  sentAt: number;
  /** What the page says of the last wish for another one. */
  note?: ResendNote;
  /** The code, once somebody has given it and a further page needs it. */
  code?: string;
}

/**
 * A person whose first factor is proven and whose second is not. This is no session: it lies in no database, and is
 * worth nothing in another flow, in another browser, or later.
 */
export interface PendingSignIn {
  /** Names the attempt; wrong codes are counted by it. */
  id: string;
  userId: string;
  /** RFC 8176 values of what was proven so far. */
  amr: string[];
  /** Epoch milliseconds. */
  at: number;
  /** Digest of the browser's user-agent token. */
  browser: string;
  /** The mail with a code that was sent for it. */
  mailed?: { challenge: string; sentAt: number; note?: ResendNote };
}

export interface SignInFlow {
  kind: "sign-in";
  /** What an application asked for; absent where a page of ours was opened by itself. */
  request?: AuthorizationRequest;
  /** The page of ours that needs somebody signed in, where no application asked. */
  page?: "change-password" | "device" | "account";
  /** With `page`: whoever is signed in has to show again that it is he. */
  fresh?: boolean;
  /** With the page `account`: which of the person's own pages, path and query. */
  at?: string;
  /** The device that waits for this person, RFC 8628. */
  device?: { id: string; clientId: string; scope: string[]; userCode: string };
  /** Epoch milliseconds. */
  startedAt: number;
  /** Whom a verified id_token_hint names; the hint itself is not carried along. */
  hintedUserId?: string;
  /** What was typed, so that nobody types it twice; never a password. */
  loginName?: string;
  error?: SignInError;
  /** With `throttled`: when the next try counts, epoch milliseconds. */
  retryAt?: number;
  /** The session this flow authenticated; satisfies every demand for a fresh authentication. */
  authenticatedSessionId?: string;
  /** The session the person picked, without a new authentication. */
  selectedSessionId?: string;
  /** The session whose person was asked about the application in this flow, and agreed. */
  confirmedSessionId?: string;
  mailed?: MailedFlow;
  pending?: PendingSignIn;
  /** What the page's passkey has to sign; found nowhere but in this flow, and used up by the first answer. */
  passkeyChallenge?: string;
}

/** The scopes a sign-in is for; they may restrict whose. */
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

export function sealFlow(ctx: Context, flow: Flow): string {
  return ctx.secrets.seal("flow", JSON.stringify(flow));
}

/**
 * @returns the flow, "expired" with what it asked for, or undefined if it was not sealed here or is of another kind
 */
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
