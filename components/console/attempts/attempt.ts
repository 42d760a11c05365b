// Sign-in attempts as the management API returns them, and their filters.
import type { Schemas } from "../../../server/api/generated/operations";
import type { AnswerOf, BodyOf } from "../../../shared/declared";
import { organizationAddress } from "../../../shared/pages";
import { instantsOf, withoutIdleZone } from "../lists/days";

export type SignInAttempt = Schemas["SignInAttempt"];
export type AttemptAnswer = AnswerOf<"ListSignInAttempts">;
export type AttemptQuery = Omit<NonNullable<BodyOf<"ListSignInAttempts">>, "query">;

type Reason = SignInAttempt["reason"];

/** All reasons in the order in which they are offered; the type requires the list to be complete. */
const EVERY: Readonly<Record<Reason, true>> = {
  signed_in: true,
  not_recognized: true,
  wrong_password: true,
  unknown_name: true,
  no_password: true,
  password_not_allowed: true,
  throttled: true,
  locked_out: true,
  network_throttled: true,
  user_locked: true,
  user_inactive: true,
  organization_inactive: true,
  factor_failed: true,
  factor_throttled: true,
  code_expired: true,
  passkey_failed: true,
  password_hook_failed: true,
  provider_failed: true,
  provider_denied: true,
  provider_unknown_user: true,
  no_role: true,
  other_organization: true,
  client_forbidden: true,
  consent_refused: true,
  redirect_uri_refused: true,
  request_refused: true,
  unknown_client: true,
  flow_expired: true,
  cookies_blocked: true,
  busy: true,
  disowned: true,
  error: true,
};
export const OFFERED_REASONS = Object.keys(EVERY) as Reason[];

/** The filters as parameters of the page's address, as typed. */
const FILTERS = ["q", "reason", "app", "from", "to", "zone"] as const;
export type AttemptFilters = Partial<Record<(typeof FILTERS)[number], string>>;

export function attemptFilters(search: Readonly<Record<string, string | undefined>>): AttemptFilters {
  const given = FILTERS.map((name) => [name, search[name]?.trim()] as const);
  return withoutIdleZone(Object.fromEntries(given.filter(([, value]) => value)));
}

/** Returns the filters as the search expects them. Values that the form does not offer are omitted. */
export function attemptQuery({ q, reason, app, ...days }: AttemptFilters): AttemptQuery {
  return {
    loginName: q,
    reason: OFFERED_REASONS.find((known) => known === reason),
    clientId: app,
    ...instantsOf(days),
  };
}

/**
 * Returns the address of the attempts on the app's page; undefined if the app belongs to another organization or was
 * removed.
 */
export function appAddress(attempt: SignInAttempt): string | undefined {
  const { appOrganizationId, projectId, appId } = attempt;
  if (appOrganizationId === undefined || projectId === undefined || appId === undefined) return undefined;
  const project = `${organizationAddress(appOrganizationId)}/projects/${encodeURIComponent(projectId)}`;
  return `${project}/apps/${encodeURIComponent(appId)}?view=sign-ins`;
}

/**
 * Whether the cause may still exist: no newer attempt of the user succeeded or failed for the same reason.
 * @param newer the attempts above it in the list
 */
export function isLatest({ userId, reason, detail }: SignInAttempt, newer: readonly SignInAttempt[]): boolean {
  const ofPerson = newer.filter((other) => other.userId === userId);
  const isSolved = userId !== undefined && ofPerson.some((other) => other.reason === "signed_in");
  return !isSolved && !ofPerson.some((other) => other.reason === reason && other.detail === detail);
}
