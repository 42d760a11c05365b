/** What a sign-in with these claims would do, without one. */
import type { IdentityProvider } from "../../directory/identity-provider/identity-provider";
import { matchingRules, type ProviderMapping } from "../../protocol/provider-mapping";
import { type Claims, identityOf } from "./identity";

export function tryMapping(
  provider: IdentityProvider,
  { claims, mapping = provider.mapping ?? {} }: { claims: Claims; mapping?: ProviderMapping },
) {
  const identity = identityOf({ ...provider, mapping }, claims);
  const { externalId: id, userName = "", givenName, familyName, email, isEmailVerified = false } = identity ?? {};
  return {
    ...(id !== undefined && { profile: { id, userName, givenName, familyName, email, isEmailVerified } }),
    matchedRules: matchingRules(mapping, claims),
    roles: identity?.grants ?? [],
  };
}
