/** Adds a person by API together with accounts at identity providers, metadata and an authenticator app. */
import { isTotpSecret } from "../../crypto/one-time-password";
import type { OriginContext } from "../../events/record";
import { type ApiError, invalidArgument, isApiError } from "../../protocol/api-error";
import { type NewMetadata, setMetadata } from "../metadata";
import { addPersonWithProofs, type GivenCodes, type PersonToAdd, type WantedProofs } from "../user/add-person";
import { importAuthenticatorAppIn } from "../user/second-factor";
import { findLinkable, linkIdentityIn, type NewIdentityLink } from "./links";

const APP_NAME = "Authenticator app";

interface Belongings {
  links?: readonly Omit<NewIdentityLink, "providerName">[];
  metadata?: readonly NewMetadata[];
  /** Base32. */
  totpSecret?: string;
}

/** Adds all of it or nothing. */
export async function addLinkedPerson(
  ctx: OriginContext,
  person: PersonToAdd,
  proofs: WantedProofs,
  { links = [], metadata = [], totpSecret }: Belongings,
): Promise<({ id: string } & GivenCodes) | ApiError> {
  const { organizationId } = person;
  if (totpSecret !== undefined && !isTotpSecret(totpSecret)) {
    return invalidArgument("request.invalid", "The key must be base32, of 16 bytes or more.", { field: "totpSecret" });
  }
  const linkable: NewIdentityLink[] = [];
  for (const link of links) {
    const provider = await findLinkable(ctx, organizationId, link.providerId);
    if (isApiError(provider)) return provider;
    linkable.push({ ...link, providerName: provider.name });
  }
  return addPersonWithProofs(ctx, person, proofs, {
    async after(ctx, id) {
      const user = { id, organizationId };
      const refusal = await setMetadata(ctx, { kind: "user", ...user }, metadata);
      if (refusal) return refusal;
      for (const link of linkable) {
        const linked = await linkIdentityIn(ctx, user, link);
        if (isApiError(linked)) return linked;
      }
      if (totpSecret === undefined) return undefined;
      return importAuthenticatorAppIn(ctx, user, { secret: totpSecret, name: APP_NAME });
    },
  });
}
