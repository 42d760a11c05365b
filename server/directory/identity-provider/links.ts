/**
 * Links: the accounts at identity providers by which users sign in. A provider of an organization is linked only to
 * users of that organization. Users are notified of a new link, as of a second factor.
 */
import type { Context } from "../../context";
import { type ChangeContext, type Details, type OriginContext, recordIn } from "../../events/record";
import {
  type ApiError,
  alreadyExists,
  failedPrecondition,
  isApiError,
  notFound,
  permissionDenied,
} from "../../protocol/api-error";
import type { Transaction } from "../../storage/database";
import { countPasskeys } from "../../storage/factor/passkeys";
import {
  deleteIdentityLink,
  type IdentityLinkId,
  type IdentityLinkRow,
  insertIdentityLink,
  listIdentityLinks,
  readIdentityLink,
  readIdentityLinks,
  type ShownLink,
} from "../../storage/identity-provider/links";
import { lockUser, readUser } from "../../storage/user/user";
import { onUniqueViolation } from "../change";
import { findInstance } from "../instance";
import { findPasswordHook, isCheckable } from "../password-hook/password-hook";
import { findPolicy } from "../policy/policies";
import { changeUser, type UserRef } from "../user/change";
import { readListedUser } from "../user/list";
import { noticesAbout } from "../user/notices";
import {
  findReadableProvider,
  type IdentityProvider,
  listOfferedProviders,
  noIdentityProvider,
} from "./identity-provider";

/** More than any user needs. */
const MAX_IDENTITY_LINKS = 50;

export interface NewIdentityLink extends Omit<IdentityLinkRow, "createdAt" | "userId" | "mappedRoles"> {
  /** For the notice. */
  providerName: string;
  /** Whether the user gets no notice, because the account was linked in another system. */
  isSilent?: boolean;
}

const linkTaken = () =>
  alreadyExists("identity_link.already_exists", "This account at the provider is linked to a user already.");

/** Links an account in the transaction of another change. @returns an error if it is linked already */
export async function linkIdentityIn(
  ctx: ChangeContext,
  user: { id: string; organizationId: string },
  { providerId, externalId, userName, providerName, isSilent }: NewIdentityLink,
): Promise<Details | ApiError> {
  if (await readIdentityLink(ctx.tx, providerId, externalId)) return linkTaken();
  if ((await readIdentityLinks(ctx.tx, user.id)).length >= MAX_IDENTITY_LINKS) {
    return failedPrecondition("identity_link.too_many", `There are ${MAX_IDENTITY_LINKS} at most: remove one.`);
  }
  return recordIn(ctx, {
    type: "user.identity.linked",
    object: user,
    async state(_, now) {
      await insertIdentityLink(ctx.tx, { providerId, externalId, userName, userId: user.id, createdAt: now });
      const payload = { providerId, linkedUserId: externalId, linkedUserName: userName };
      const facts = { at: now, change: providerName };
      if (isSilent) return { payload };
      return { payload, messages: await noticesAbout(ctx, user.id, "factorAdded", facts) };
    },
  });
}

/** Returns a provider whose accounts users of the organization may have. */
export async function findLinkable(
  ctx: Context,
  organizationId: string,
  providerId: string,
): Promise<IdentityProvider | ApiError> {
  const provider = await findReadableProvider(ctx, organizationId, providerId);
  if (!provider) return noIdentityProvider();
  const isOwn = provider.ownerId === organizationId || provider.ownerId === (await findInstance(ctx)).id;
  return isOwn
    ? provider
    : permissionDenied("identity_link.other_organization", "The provider is another organization's.");
}

/** Links an account by API, for a user of the organization that owns the provider, or of any for the service's. */
export async function addIdentityLink(
  ctx: OriginContext,
  ref: UserRef,
  link: Omit<NewIdentityLink, "providerName">,
): Promise<Details | ApiError> {
  const provider = await findLinkable(ctx, ref.organizationId, link.providerId);
  if (isApiError(provider)) return provider;
  return onUniqueViolation(linkTaken, () =>
    changeUser(ctx, { ...ref, kind: "human" }, (ctx, user) =>
      linkIdentityIn(ctx, user, { ...link, providerName: provider.name }),
    ),
  );
}

/** Returns the links of a user, oldest first. */
export async function listIdentityLinksOf(ctx: Context, ref: UserRef): Promise<ShownLink[] | ApiError> {
  const person = await readListedUser(ctx, { ...ref, kind: "human" });
  return isApiError(person) ? person : listIdentityLinks(ctx.db, person.id);
}

/**
 * Removes a link. Its user is signed out nowhere, and can no longer sign in by it.
 * @param refusalOf why it must stay, by the user's other links; undefined for administrators
 */
export function removeIdentityLink(
  ctx: OriginContext,
  ref: UserRef,
  { providerId, externalId }: IdentityLinkId,
  refusalOf?: (tx: Transaction, others: readonly IdentityLinkRow[]) => Promise<ApiError | undefined>,
): Promise<Details | ApiError> {
  return changeUser(ctx, ref, async (ctx, user) => {
    await lockUser(ctx.db, ctx.tx, user.id);
    const links = await readIdentityLinks(ctx.tx, user.id);
    const link = links.find((one) => one.providerId === providerId && one.externalId === externalId);
    if (!link) return notFound("identity_link.not_found", "This link does not exist.");
    const others = links.filter((one) => one !== link);
    return (await refusalOf?.(ctx.tx, others)) ?? removeIdentityLinkIn(ctx, user, link);
  });
}

/** Removes a link in the transaction of another change. */
export function removeIdentityLinkIn(
  ctx: ChangeContext,
  user: { id: string; organizationId: string },
  { providerId, externalId, userName, providerName }: ShownLink,
): Promise<Details> {
  return recordIn(ctx, {
    type: "user.identity.unlinked",
    object: user,
    async state(_, now) {
      await deleteIdentityLink(ctx.tx, providerId, externalId);
      const payload = { providerId, linkedUserId: externalId, linkedUserName: userName };
      const facts = { at: now, change: providerName };
      return { payload, messages: await noticesAbout(ctx, user.id, "factorRemoved", facts) };
    },
  });
}

/** Removes a link of one's own, unless it is the last way to sign in. */
export async function removeOwnIdentityLink(
  ctx: OriginContext,
  ref: UserRef,
  link: IdentityLinkId,
): Promise<Details | ApiError> {
  const { userId, organizationId } = ref;
  const { allowUsernamePassword } = await findPolicy(ctx, "login", organizationId);
  const hook = await findPasswordHook(ctx, organizationId);
  const offered = (await listOfferedProviders(ctx, organizationId)).map(({ id }) => id);
  return removeIdentityLink(ctx, ref, link, async (tx, others) => {
    if (others.some((one) => offered.includes(one.providerId))) return undefined;
    const { passwordHash = null } = (await readUser(tx, userId)) ?? {};
    if (allowUsernamePassword && isCheckable(passwordHash, hook)) return undefined;
    if ((await countPasskeys(tx, userId)) > 0) return undefined;
    const why = "This is the only way to sign in to the account. Add a password or a passkey first.";
    return failedPrecondition("identity_link.last_way", why);
  });
}
