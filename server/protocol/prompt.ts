/**
 * The parameters prompt and max_age, and hints (OIDC Core §3.1.2.1 to §3.1.2.3, Initiating User Registration 1.0):
 * whether a request may continue with a session of this browser, needs a screen, or is rejected. The decision depends
 * only on its arguments, so a flow that returns from a screen is decided again from the start. Attack: skipping the
 * screen that `login` requires; only a session authenticated by this very flow satisfies it.
 */
import { isStale } from "./max-age";
import { interactionRequired, invalidRequest, loginRequired, type OAuthError } from "./oauth-error";

export const prompts = ["none", "login", "select_account", "create", "consent"] as const;
export type Prompt = (typeof prompts)[number];

/**
 * Parses the values, without duplicates, in the order sent. Unknown values, and `none` together with others, are
 * invalid_request.
 */
export function parsePrompt(raw: string | undefined): Prompt[] | OAuthError {
  if (raw === undefined) return [];
  const values = new Set<Prompt>();
  for (const word of raw.split(" ")) {
    const known = prompts.find((prompt) => prompt === word);
    if (known === undefined) return invalidRequest("prompt has an unknown value");
    values.add(known);
  }
  // OIDC Core §3.1.2.1: "If this parameter contains none with any other value, an error is returned."
  if (values.has("none") && values.size > 1) return invalidRequest("prompt none cannot be combined");
  return [...values];
}

/** A live session of the requesting browser. */
export interface BrowserSession {
  id: string;
  userId: string;
  loginName: string;
  /** A verified email address, which a login_hint may also contain, as on the sign-in page. */
  verifiedEmail?: string | null;
  /** The time of the last active authentication, in epoch milliseconds. */
  authTime: number;
}

export interface InteractionRequest {
  prompt: readonly Prompt[];
  /** Seconds. */
  maxAge?: number;
  loginHint?: string;
  /** Subject of a verified id_token_hint, or the one that the claims parameter requires. */
  hintedUserId?: string;
  /** The session that a screen of this flow authenticated, by a password or a new account. */
  authenticatedSessionId?: string;
  /** The session that was selected in this flow, without a new authentication. */
  selectedSessionId?: string;
}

/** What a screen may prefill; it proves nothing. */
export interface ScreenHint {
  loginName?: string;
  userId?: string;
  sessionId?: string;
}

export type Screen = "login" | "select-account" | "create-account";

export type Decision =
  | { kind: "proceed"; sessionId: string }
  | { kind: "screen"; screen: Screen; hint: ScreenHint }
  | { kind: "error"; error: OAuthError };

/**
 * Decides what the request needs next.
 * @param now epoch milliseconds
 */
export function decide(request: InteractionRequest, sessions: readonly BrowserSession[], now: number): Decision {
  const asks = (prompt: Prompt) => request.prompt.includes(prompt);
  if (asks("none")) return decideSilently(request, sessions, now);

  // Only an authentication in this flow satisfies login, create, select_account and max_age.
  const authenticated = sessions.find((session) => session.id === request.authenticatedSessionId);
  if (authenticated) return proceedAs(authenticated, request);
  if (asks("create")) return screen("create-account", typed(request));

  const selected = sessions.find((session) => session.id === request.selectedSessionId);
  if (asks("select_account") && !selected && sessions.length > 0) return selectAccount(request, sessions);

  const chosen = selected ?? impliedSession(request, sessions);
  if (chosen && !asks("login") && !isStale(chosen.authTime, request.maxAge, now)) return proceedAs(chosen, request);
  if (chosen) return screen("login", { loginName: chosen.loginName, userId: chosen.userId, sessionId: chosen.id });
  if (request.hintedUserId !== undefined) return screen("login", { ...typed(request), userId: request.hintedUserId });
  // Rule AUTHORIZE-6.
  if (!asks("login") && sessions.length > 1) return selectAccount(request, sessions);
  return screen("login", typed(request));
}

/** Decides for prompt=none: proceed or an error, never a page (OIDC Core §3.1.2.6). */
function decideSilently(request: InteractionRequest, sessions: readonly BrowserSession[], now: number): Decision {
  const silent = { prompt: request.prompt, loginHint: request.loginHint, hintedUserId: request.hintedUserId };
  const chosen = impliedSession(silent, sessions);
  if (chosen && !isStale(chosen.authTime, request.maxAge, now)) return proceedAs(chosen, silent);
  const ambiguous = !chosen && request.hintedUserId === undefined && sessions.length > 1;
  if (ambiguous && sessions.some((session) => !isStale(session.authTime, request.maxAge, now))) {
    return { kind: "error", error: interactionRequired("the user has to choose one of several sessions") };
  }
  return { kind: "error", error: loginRequired("the user has to sign in") };
}

/**
 * Returns the session that a request implies: the hinted user's, else the only one. A login_hint for another user
 * excludes the only one (Choice: silently signing in the wrong user is worse than asking).
 */
function impliedSession(request: InteractionRequest, sessions: readonly BrowserSession[]): BrowserSession | undefined {
  const { hintedUserId, loginHint } = request;
  if (hintedUserId !== undefined) {
    const own = sessions.filter((session) => session.userId === hintedUserId);
    return own.sort((a, b) => b.authTime - a.authTime)[0];
  }
  const only = sessions.length === 1 ? sessions[0] : undefined;
  return only && (loginHint === undefined || isNamed(only, loginHint)) ? only : undefined;
}

/**
 * Whether a hint names the session's user. Login names are compared as users type them: in any case, with or without
 * the organization's domain, or as an email address.
 */
function isNamed(session: BrowserSession, loginHint: string): boolean {
  const comparable = (name: string) => name.normalize("NFKC").toLowerCase();
  const hint = comparable(loginHint);
  const loginName = comparable(session.loginName);
  if (hint === loginName || (!hint.includes("@") && loginName.startsWith(`${hint}@`))) return true;
  return hint === comparable(session.verifiedEmail ?? loginName);
}

function proceedAs(session: BrowserSession, request: InteractionRequest): Decision {
  if (request.hintedUserId !== undefined && request.hintedUserId !== session.userId) {
    // OIDC Core §3.1.2.2: MUST NOT respond for a different user than the one in the hint.
    return { kind: "error", error: loginRequired("another user than the one of the hint signed in") };
  }
  return { kind: "proceed", sessionId: session.id };
}

function selectAccount(request: InteractionRequest, sessions: readonly BrowserSession[]): Decision {
  const preselected = hintedSession(request, sessions);
  const hint = typed(request);
  return screen("select-account", preselected ? { ...hint, sessionId: preselected.id } : hint);
}

/** Returns the session that the hints name, which the account chooser shows first (rule AUTHORIZE-7). */
export function hintedSession<Session extends BrowserSession>(
  { hintedUserId, loginHint }: Pick<InteractionRequest, "hintedUserId" | "loginHint">,
  sessions: readonly Session[],
): Session | undefined {
  return (
    sessions.find((session) => session.userId === hintedUserId) ??
    (loginHint === undefined ? undefined : sessions.find((session) => isNamed(session, loginHint)))
  );
}

function typed(request: InteractionRequest): ScreenHint {
  return request.loginHint === undefined ? {} : { loginName: request.loginHint };
}

function screen(name: Screen, hint: ScreenHint): Decision {
  return { kind: "screen", screen: name, hint };
}
