/**
 * The account at an identity provider that was proven in a flow and is linked to no user yet. The user who signs in
 * next in the same flow and browser proves an account of ours, to which it is then linked.
 */
import type { Context } from "../context";
import { findStoredProvider, type IdentityProvider } from "../directory/identity-provider/identity-provider";
import { linkIdentityIn } from "../directory/identity-provider/links";
import { mayBeSignedInBy } from "../directory/identity-provider/signs-in";
import { inTransaction } from "../events/record";
import { countProviderSignIn } from "../metrics/instruments";
import type { SignInFlow } from "../oidc/flow";
import type { ForeignIdentity } from "../oidc/proven";
import { isApiError } from "../protocol/api-error";
import type { UserAgent } from "../sessions/user-agent";
import { isUniqueViolation } from "../storage/engine/violations";
import { type Attempt, ownOrigin } from "./attempt";
import { isBrowser } from "./requesting-browser";

/**
 * Returns the proven account of a flow and its provider; undefined in any other browser (attack: a link with a flow in
 * which a stranger has proven their account, which is then linked to the user who signs in), and if the provider is
 * gone.
 */
export async function foreignIn(
  ctx: Context,
  { foreign }: SignInFlow,
  userAgent: UserAgent,
): Promise<{ foreign: ForeignIdentity; provider: IdentityProvider } | undefined> {
  if (!foreign || !isBrowser(foreign.browser, userAgent)) return undefined;
  const provider = await findStoredProvider(ctx, foreign.providerId);
  return provider?.isActive ? { foreign, provider } : undefined;
}

/** Links the proven account of the flow to the user who has just signed in, if that is allowed. */
export async function linkProven(
  ctx: Context,
  flow: SignInFlow,
  user: { id: string; organizationId: string },
  attempt: Attempt,
): Promise<void> {
  const found = await foreignIn(ctx, flow, attempt.userAgent);
  if (!found?.provider.options.isLinkingAllowed || !(await mayBeSignedInBy(ctx, found.provider, user))) return;
  const { externalId, userName } = found.foreign;
  const { id: providerId, name: providerName } = found.provider;
  try {
    const link = { providerId, externalId, userName, providerName };
    // An account that was linked meanwhile stays with its user.
    const linked = await inTransaction({ ...ctx, origin: ownOrigin(user, attempt) }, (ctx) =>
      linkIdentityIn(ctx, user, link),
    );
    if (!isApiError(linked)) countProviderSignIn(found.provider.kind, "linked");
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
  }
}
