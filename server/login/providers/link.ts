/**
 * Links an account at a provider to the user who is signed in, from the account pages. Starting it takes a form of ours
 * and a recent authentication; the response counts only in the session that started it (attack: linking the attacker's
 * account at the provider to the victim's account here).
 */
import type { Context } from "../../context";
import { type IdentityProvider, listOfferedProviders } from "../../directory/identity-provider/identity-provider";
import { linkIdentityIn } from "../../directory/identity-provider/links";
import { mayBeSignedInBy } from "../../directory/identity-provider/signs-in";
import { keepTokens } from "../../directory/identity-provider/tokens";
import { inTransaction } from "../../events/record";
import { countProviderSignIn } from "../../metrics/instruments";
import type { SignInFlow } from "../../oidc/flow";
import { isApiError } from "../../protocol/api-error";
import { isUniqueViolation } from "../../storage/engine/violations";
import { findIdentityLink } from "../../storage/identity-provider/links";
import { type AccountOwner, accountOwner, type FreshOwner } from "../account/owner";
import { type Attempt, ownOrigin } from "../attempt";
import type { ProvenIdentity } from "./identity";
import { leadToProvider, type StartingBrowser, type StartOutcome } from "./start";

/** `taken`: the account at the provider belongs to another user here. */
export type LinkResult = "linked" | "taken" | "refused";

/** Returns the providers by which the user may also sign in, if they link an account there. */
export async function listLinkableProviders(
  ctx: Context,
  { user }: Pick<AccountOwner, "user">,
): Promise<IdentityProvider[]> {
  const linkable: IdentityProvider[] = [];
  for (const provider of await listOfferedProviders(ctx, user.organizationId)) {
    if (provider.options.isLinkingAllowed && (await mayBeSignedInBy(ctx, provider, user))) linkable.push(provider);
  }
  return linkable;
}

/** The provider lets the user choose the account, as the browser may be signed in with another one. */
export async function startLinking(
  ctx: Context,
  owner: FreshOwner,
  providerId: string,
  by: StartingBrowser,
  attempt: Attempt,
): Promise<StartOutcome> {
  const provider = (await listLinkableProviders(ctx, owner)).find(({ id }) => id === providerId);
  if (!provider) return { kind: "gone" };
  const { session, user } = owner;
  const linkTo = { sessionId: session.id, userId: user.id };
  const flow = { kind: "sign-in", startedAt: ctx.clock(), page: "account", at: "/account/security", linkTo } as const;
  return leadToProvider(ctx, provider, { flow, wishes: { prompt: ["select_account"] } }, by, attempt);
}

/** Links the account that the provider has proven. */
export async function finishLinking(
  ctx: Context,
  provider: IdentityProvider,
  { sessionId, userId }: NonNullable<SignInFlow["linkTo"]>,
  { externalId, userName, atProvider }: ProvenIdentity,
  attempt: Attempt,
): Promise<LinkResult> {
  const end = (result: LinkResult) => {
    countProviderSignIn(provider.kind, result === "linked" ? "linked" : "refused");
    return result;
  };
  const owner = await accountOwner(ctx, sessionId, attempt.userAgent);
  const isAllowed = provider.options.isLinkingAllowed && owner?.user.id === userId;
  if (!owner || !isAllowed || !(await mayBeSignedInBy(ctx, provider, owner.user))) return end("refused");
  const linked = await findIdentityLink(ctx.db, provider.id, externalId);
  const keep = async () => atProvider?.tokens && keepTokens(ctx, provider.id, userId, atProvider.tokens);
  if (linked?.userId === userId) await keep();
  if (linked) return end(linked.userId === userId ? "linked" : "taken");
  const link = { providerId: provider.id, externalId, userName, providerName: provider.name };
  try {
    const done = await inTransaction({ ...ctx, origin: ownOrigin(owner.user, attempt) }, (ctx) =>
      linkIdentityIn(ctx, owner.user, link),
    );
    if (isApiError(done)) return end(done.id === "identity_link.too_many" ? "refused" : "taken");
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    return end("taken");
  }
  await keep();
  return end("linked");
}
