/**
 * Sets up an authenticator app: the key is sealed in the form and is stored only after a code from the app was entered,
 * so that users do not lock themselves out with an app that does not work. During a sign-in, only a user without a
 * second factor may set one up: a password alone must not be enough to add a factor to a protected account (attack:
 * enrolling past the challenge).
 */
import type { Context } from "../../context";
import { matchTotp, newTotpSecret, totpUri } from "../../crypto/one-time-password";
import { newId } from "../../crypto/random";
import { isPermittedIn } from "../../directory/policy/second-factors";
import { addAuthenticatorApp, enableSentCodes, skipSecondFactor } from "../../directory/user/second-factor";
import type { SignInUser } from "../../directory/user/user";
import type { Cause } from "../../events/record";
import type { SignInFlow } from "../../oidc/flow";
import { wishedFactors } from "../../protocol/authentication-context";
import type { SentKind } from "../../protocol/second-factor";
import { isFactorForced } from "../../sessions/required-action";
import type { UserAgent } from "../../sessions/user-agent";
import { listFactors } from "../../storage/factor/second-factors";
import { type Attempt, ownOrigin } from "../attempt";
import { completeSignIn, type SignedIn } from "../complete-sign-in";
import type { AwaitedPerson } from "./factor";
import { awaitedPerson } from "./second-factor";
import { findChannel } from "./table";

/** The maximum time from showing the key to confirming it, in milliseconds. */
const ENROLMENT_LIFETIME = 30 * 60_000;
/** The maximum in characters. */
export const MAX_FACTOR_NAME_LENGTH = 60;

/** Returns the user who may set up a second factor in this sign-in; "challenge" if they have one and must use it. */
export async function personToSetUp(
  ctx: Context,
  flow: SignInFlow,
  userAgent: UserAgent,
): Promise<AwaitedPerson | "challenge" | undefined> {
  const person = await awaitedPerson(ctx, flow, userAgent);
  return person?.isProtected ? "challenge" : person;
}

/** Whether setting one up is required, without "Not now". */
export async function isSetUpDemanded(
  ctx: Context,
  flow: SignInFlow,
  { user, pending }: Pick<AwaitedPerson, "user" | "pending">,
): Promise<boolean> {
  const isForced = await isFactorForced(ctx, { ...user, amr: pending.amr.join(" ") });
  return isForced || wishedFactors(flow.request?.acrValues ?? [], flow.request?.claimsRequest) === "required";
}

/** Handles "Not now" and "Never ask again": stores the choice and continues the sign-in with the proven factors. */
export async function putOffSetUp(
  ctx: Context,
  flow: SignInFlow,
  { userAgent, requestId, forever }: Attempt & { forever: boolean },
): Promise<({ kind: "signed-in" } & SignedIn) | { kind: "restart" }> {
  const person = await personToSetUp(ctx, flow, userAgent);
  if (!person || person === "challenge" || (await isSetUpDemanded(ctx, flow, person))) return { kind: "restart" };
  const { user, pending } = person;
  await skipSecondFactor({ ...ctx, origin: ownOrigin(user, { userAgent, requestId }) }, user, forever);
  const signedIn = await completeSignIn(ctx, flow, { user, amr: pending.amr, userAgent, requestId });
  return { kind: "signed-in", ...signedIn };
}

/**
 * Enables codes that are sent, starting with this sign-in. The address is verified, so no test code is needed.
 * @returns whether that was possible
 */
export async function setUpSentCodes(ctx: Context, user: SignInUser, kind: SentKind, cause: Cause): Promise<boolean> {
  if (findChannel(kind)?.addressOf(user) === undefined) return false;
  if (!(await isPermittedIn(ctx, user.organizationId, kind))) return false;
  await enableSentCodes({ ...ctx, origin: { actor: user.id, ...cause } }, user, kind);
  return true;
}

interface Enrolment {
  /** Distinguishes it from a passkey's enrolment, which is sealed with the same key. */
  kind: "app";
  /** The id of the future factor. */
  id: string;
  userId: string;
  secret: string;
  /** Epoch milliseconds. */
  at: number;
}

/** The data that the page of a new app shows. */
export interface OpenEnrolment {
  /** The sealed enrolment, for the form. */
  sealed: string;
  /** The secret in base32. */
  secret: string;
  /** The `otpauth:` URI. */
  uri: string;
}

/** Returns a new key, which is not stored yet. */
function beginApp(ctx: Context, user: SignInUser): OpenEnrolment {
  const enrolment: Enrolment = { kind: "app", id: newId(), userId: user.id, secret: newTotpSecret(), at: ctx.clock() };
  return opened(user, enrolment, ctx.secrets.seal("second-factor", JSON.stringify(enrolment)));
}

/**
 * Returns the key of a rejected form, unless it has become a factor since, because a stored key is never shown again;
 * otherwise a new key.
 */
export async function resumeApp(ctx: Context, user: SignInUser, sealed: string | undefined): Promise<OpenEnrolment> {
  const enrolment = sealed === undefined ? undefined : openEnrolment(ctx, user, sealed);
  if (sealed === undefined || enrolment === undefined) return beginApp(ctx, user);
  const isKept = (await listFactors(ctx.db, user.id)).some(({ id }) => id === enrolment.id);
  return isKept ? beginApp(ctx, user) : opened(user, enrolment, sealed);
}

/** Opens an enrolment. It is bound to the user: a key that a stranger knows must not be added to their account. */
function openEnrolment(ctx: Context, user: SignInUser, sealed: string): Enrolment | undefined {
  const text = ctx.secrets.open("second-factor", sealed);
  const enrolment = text === undefined || !text.startsWith("{") ? undefined : (JSON.parse(text) as Enrolment);
  if (enrolment?.kind !== "app") return undefined;
  return enrolment.userId !== user.id || ctx.clock() - enrolment.at > ENROLMENT_LIFETIME ? undefined : enrolment;
}

function opened(user: SignInUser, { secret }: Enrolment, sealed: string): OpenEnrolment {
  return { sealed, secret, uri: totpUri(secret, { issuer: user.organizationName, account: user.loginName }) };
}

export type ConfirmAppOutcome =
  /** The setup starts over with a new key. */
  | { kind: "expired" }
  | { kind: "refused"; reason: "missing" | "wrong"; enrolment: OpenEnrolment }
  | { kind: "too-many" }
  /** The organization no longer permits this factor. */
  | { kind: "not-permitted" }
  /** The form was sent twice. */
  | { kind: "repeated" }
  | { kind: "added"; recoveryCodes: string[] | undefined };

/** Stores the key if the code was generated with it. */
export async function confirmApp(
  ctx: Context,
  user: SignInUser,
  form: { sealed: string; code: string; name: string; cause: Cause },
): Promise<ConfirmAppOutcome> {
  if (!(await isPermittedIn(ctx, user.organizationId, "totp"))) return { kind: "not-permitted" };
  const enrolment = openEnrolment(ctx, user, form.sealed);
  if (!enrolment) return { kind: "expired" };
  const refused = (reason: "missing" | "wrong") =>
    ({ kind: "refused", reason, enrolment: opened(user, enrolment, form.sealed) }) as const;
  if (form.code.trim() === "") return refused("missing");
  const timeStep = matchTotp(enrolment.secret, form.code, ctx.clock());
  if (timeStep === undefined) return refused("wrong");
  const name = factorName(form.name);
  const app = { id: enrolment.id, secret: enrolment.secret, timeStep: timeStep, name };
  return addAuthenticatorApp({ ...ctx, origin: { actor: user.id, ...form.cause } }, user, app);
}

/** Returns a factor's name without control characters and line breaks, cut to its maximum length. */
export function factorName(typed: string): string {
  const text = typed.slice(0, 1_000).replace(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/gu, " ");
  return [...text.trim()].slice(0, MAX_FACTOR_NAME_LENGTH).join("");
}
