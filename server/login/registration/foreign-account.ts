/**
 * Accounts of users who have proven an account at an identity provider. Their user name is their address, so that no
 * name from elsewhere takes one of an organization's proven domain. An address that the provider has verified needs no
 * mailed code.
 */
import type { Context } from "../../context";
import type { IdentityProvider } from "../../directory/identity-provider/identity-provider";
import { linkIdentityIn } from "../../directory/identity-provider/links";
import { findInstance } from "../../directory/instance";
import { CONSOLE_CLIENT_ID } from "../../directory/reserved-names";
import { createPerson } from "../../directory/user/create";
import { findUser, type SignInUser } from "../../directory/user/user";
import { asSystem } from "../../events/record";
import type { SignInFlow } from "../../oidc/flow";
import { isApiError } from "../../protocol/api-error";
import { type Attempt, causeOf } from "../attempt";
import { clientIdOfFlow } from "../note-attempt";

export interface ForeignAccount {
  externalId: string;
  /** The name of the account at the provider. */
  userName: string;
  email?: string;
  isEmailVerified: boolean;
  givenName?: string;
  familyName?: string;
  language?: string;
}

/**
 * Returns the organization in which a provider's new users get their account; undefined if they get none. Like
 * registration, that is off for the console and behind mailed links.
 * @param home the organization of the flow
 */
export async function organizationOfNew(
  ctx: Context,
  flow: SignInFlow,
  { options, ownerId }: IdentityProvider,
  home: string | undefined,
): Promise<string | undefined> {
  if (!options.isCreationAllowed || clientIdOfFlow(flow) === CONSOLE_CLIENT_ID) return undefined;
  if (flow.organizationId !== undefined) return undefined;
  return ownerId === (await findInstance(ctx)).id ? home : ownerId;
}

/**
 * Creates a linked account.
 * @returns undefined if the address is not verified, or no user name here can be made of it
 */
export async function createForeignAccount(
  ctx: Context,
  provider: IdentityProvider,
  { externalId, userName, email, isEmailVerified, givenName, familyName, language }: ForeignAccount,
  organizationId: string,
  attempt: Attempt,
): Promise<SignInUser | undefined> {
  if (email === undefined || !isEmailVerified) return undefined;
  // Others rely on what the operator's providers say, not on what those of an organization say.
  const isEmailTrusted = provider.ownerId === (await findInstance(ctx)).id;
  const person = { firstName: givenName, lastName: familyName, preferredLanguage: language, email, isEmailTrusted };
  const link = { providerId: provider.id, externalId, userName, providerName: provider.name };
  const made = await createPerson(
    asSystem(ctx, causeOf(attempt)),
    { ...person, isEmailVerified: true, organizationId, userName: email },
    {
      async after(ctx, id) {
        await linkIdentityIn(ctx, { id, organizationId }, link);
      },
    },
  );
  return isApiError(made) ? undefined : findUser(ctx, made.id);
}
