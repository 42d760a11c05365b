/**
 * Signs in with login name and password of an LDAP directory. What follows a right password is the same as at other
 * providers.
 */
import type { Context } from "../../context";
import { findStoredProvider, type IdentityProvider } from "../../directory/identity-provider/identity-provider";
import type { SignInFlow } from "../../oidc/flow";
import type { DirectorySettings } from "../../protocol/identity-provider";
import { MAX_LOGIN_NAME_LENGTH } from "../attempt";
import { applicationOf } from "../continue-flow";
import { refusedInSteadyTime } from "../steady-time";
import { type DirectoryPassword, proveAtDirectory } from "./directory-proof";
import { type FinishOutcome, finishWithIdentity, refuseAtProvider } from "./finish";
import { listFlowProviders } from "./start";

interface DirectoryAttempt extends DirectoryPassword {
  chosenLocale: string | undefined;
}

type DirectorySignInOutcome =
  | FinishOutcome
  /** Shows the page again. */
  | { kind: "again"; providerId: string; flow: SignInFlow }
  /** The directory is not offered here any more. */
  | { kind: "gone" };

/** Returns the directory whose page this is, if it is offered in this flow. */
export async function findOfferedDirectory(
  ctx: Context,
  flow: SignInFlow,
  providerId: string,
): Promise<(IdentityProvider & { settings: DirectorySettings }) | undefined> {
  const application = await applicationOf(ctx, flow);
  if (application === "gone") return undefined;
  const found = flow.linkTo // started by a user who may link it (link.ts)
    ? await findStoredProvider(ctx, providerId)
    : (await listFlowProviders(ctx, flow, application)).find(({ id }) => id === providerId);
  if (!found?.isActive) return undefined;
  return found.kind === "ldap" ? (found as IdentityProvider & { settings: DirectorySettings }) : undefined;
}

/** Signs in; a rejected attempt takes a fixed time. */
export function signInAtDirectory(
  ctx: Context,
  flow: SignInFlow,
  providerId: string,
  attempt: DirectoryAttempt,
): Promise<DirectorySignInOutcome> {
  const isRefused = ({ kind }: DirectorySignInOutcome) => kind === "again";
  const trimmed = { ...attempt, loginName: attempt.loginName.trim() };
  return refusedInSteadyTime(ctx, isRefused, () => signInNow(ctx, flow, providerId, trimmed));
}

async function signInNow(
  ctx: Context,
  flow: SignInFlow,
  providerId: string,
  attempt: DirectoryAttempt,
): Promise<DirectorySignInOutcome> {
  const provider = await findOfferedDirectory(ctx, flow, providerId);
  if (!provider) return { kind: "gone" };
  const proven = await proveAtDirectory(ctx, { flow, provider }, attempt);
  if (proven.kind === "again") return { kind: "again", providerId, flow: proven.flow };
  const named = { ...flow, loginName: attempt.loginName.slice(0, MAX_LOGIN_NAME_LENGTH) };
  const at = { flow: named, chosenLocale: attempt.chosenLocale, provider };
  if (proven.kind === "identity") {
    return finishWithIdentity(ctx, { ...at, passed: proven.passed }, proven.identity, attempt);
  }
  const refusal = { error: "provider-failed", reason: "provider_failed", detail: proven.detail } as const;
  return refuseAtProvider(ctx, at, refusal, attempt);
}
