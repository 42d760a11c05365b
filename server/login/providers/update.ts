/** Updates a linked user at each sign-in with what the provider says, if it is set to do so. */
import type { Context } from "../../context";
import { changeDirectory } from "../../directory/change";
import type { IdentityProvider } from "../../directory/identity-provider/identity-provider";
import { findInstance } from "../../directory/instance";
import { findForeignOwner, userKeys } from "../../directory/user/login-name";
import { changePerson, type SignInUser } from "../../directory/user/user";
import { asSystem } from "../../events/record";
import { type IdentityLinkRow, renameIdentityLink } from "../../storage/identity-provider/links";
import { readUser } from "../../storage/user/user";
import type { ProvenIdentity } from "./identity";

/** The login name stays; an address in a domain that another organization has proven is ignored. */
export async function updateByProvider(
  ctx: Context,
  provider: IdentityProvider,
  link: IdentityLinkRow,
  user: SignInUser,
  { userName, givenName, familyName, language, email, isEmailVerified }: ProvenIdentity,
): Promise<void> {
  if (userName !== link.userName) await renameIdentityLink(ctx.db, link, userName);
  if (!provider.options.isAutoUpdate) return;
  const isOfService = provider.ownerId === (await findInstance(ctx)).id;
  await changeDirectory(ctx, async (ctx) => {
    const stored = await readUser(ctx.tx, user.id);
    if (!stored) return;
    const { userNameDomain } = userKeys(email ?? "", "");
    const isForeign = (await findForeignOwner(ctx, user.organizationId, userNameDomain)) !== undefined;
    const address = isEmailVerified && !isForeign ? { email, isEmailVerified: true, isEmailTrusted: isOfService } : {};
    const isSame = "email" in address && address.email === stored.email && stored.isEmailVerified;
    const fields = { firstName: givenName, lastName: familyName, preferredLanguage: language };
    await changePerson(asSystem(ctx), stored, { ...fields, ...(isSame ? {} : address) });
  });
}
