/**
 * Links: the accounts at identity providers by which users sign in. A provider of an organization is linked only to
 * users of that organization. Users are notified of a new link, as of a second factor.
 */
import type { Context } from "../../context";
import { type Details, type Origin, recordIn } from "../../events/record";
import { type ApiError, alreadyExists, failedPrecondition, notFound, permissionDenied } from "../../protocol/api-error";
import type { Transaction } from "../../storage/database";
import {
  deleteIdentityLink,
  type IdentityLinkRow,
  insertIdentityLink,
  readIdentityLink,
  readIdentityLinks,
} from "../../storage/identity-provider/links";
import { changeDirectory, onUniqueViolation } from "../change";
import { findInstance } from "../instance";
import { findPolicy } from "../policy/policies";
import { changeUser, type UserRef } from "../user/change";
import { noticesAbout } from "../user/notices";
import { findReadableProvider, listOfferedProviders, noIdentityProvider } from "./identity-provider";

export interface NewIdentityLink extends Omit<IdentityLinkRow, "createdAt" | "userId"> {
  /** For the notice. */
  providerName: string;
}

const linkTaken = () =>
  alreadyExists("identity_link.already_exists", "This account at the provider is linked to a user already.");

/** Links an account in the transaction of another change. @returns an error if it is linked already */
export async function linkIdentityIn(
  ctx: Context,
  tx: Transaction,
  user: { id: string; organizationId: string },
  { providerId, externalId, userName, providerName }: NewIdentityLink,
  origin: Origin,
): Promise<Details | ApiError> {
  if (await readIdentityLink(tx, providerId, externalId)) return linkTaken();
  return recordIn(ctx, tx, {
    type: "user.identity.linked",
    aggregateId: user.id,
    resourceOwner: user.organizationId,
    origin,
    async state(_, now) {
      await insertIdentityLink(tx, { providerId, externalId, userName, userId: user.id, createdAt: now });
      const payload = { providerId, linkedUserId: externalId, linkedUserName: userName };
      const facts = { at: now, change: providerName };
      return { payload, messages: await noticesAbout(ctx, tx, user.id, "factorAdded", facts, origin) };
    },
  });
}

/** Links an account by API, for a user of the organization that owns the provider, or of any for the service's. */
export async function addIdentityLink(
  ctx: Context,
  ref: UserRef,
  link: Omit<NewIdentityLink, "providerName">,
  origin: Origin,
): Promise<Details | ApiError> {
  const provider = await findReadableProvider(ctx, ref.organizationId, link.providerId);
  if (!provider) return noIdentityProvider();
  const isOwn = provider.ownerId === ref.organizationId || provider.ownerId === (await findInstance(ctx)).id;
  if (!isOwn) return permissionDenied("identity_link.other_organization", "The provider is another organization's.");
  return onUniqueViolation(linkTaken, () =>
    changeUser(ctx, ref, origin, (tx, user) =>
      linkIdentityIn(ctx, tx, user, { ...link, providerName: provider.name }, origin),
    ),
  );
}

/** Removes a link. Its user is signed out nowhere, and can no longer sign in by it. */
export function removeIdentityLink(
  ctx: Context,
  ref: UserRef,
  { providerId, externalId }: Pick<IdentityLinkRow, "providerId" | "externalId">,
  origin: Origin,
): Promise<Details | ApiError> {
  return changeUser(ctx, ref, origin, async (tx, user) => {
    const links = await readIdentityLinks(tx, user.id);
    const link = links.find((one) => one.providerId === providerId && one.externalId === externalId);
    if (!link) return notFound("identity_link.not_found", "This link does not exist.");
    return recordIn(ctx, tx, {
      type: "user.identity.unlinked",
      aggregateId: user.id,
      resourceOwner: user.organizationId,
      origin,
      async state(_, now) {
        await deleteIdentityLink(tx, providerId, externalId);
        const payload = { providerId, linkedUserId: externalId, linkedUserName: link.userName };
        const facts = { at: now, change: link.providerName };
        return { payload, messages: await noticesAbout(ctx, tx, user.id, "factorRemoved", facts, origin) };
      },
    });
  });
}

/** Removes a link of one's own, unless it is the last way to sign in. */
export async function removeOwnIdentityLink(
  ctx: Context,
  user: { id: string; organizationId: string },
  link: Pick<IdentityLinkRow, "providerId" | "externalId">,
  origin: Origin,
): Promise<Details | ApiError> {
  const { allowUsernamePassword } = await findPolicy(ctx, "login", user.organizationId);
  const offered = (await listOfferedProviders(ctx, user.organizationId)).map(({ id }) => id);
  const isLast = await changeDirectory(ctx, async (tx) => {
    const others = (await readIdentityLinks(tx, user.id)).filter(
      (one) => one.providerId !== link.providerId || one.externalId !== link.externalId,
    );
    if (others.some((one) => offered.includes(one.providerId))) return false;
    const { passwordHash } = (await tx.user.findUnique({ where: { id: user.id } })) ?? {};
    if (allowUsernamePassword && passwordHash) return false;
    return (await tx.passkey.count({ where: { userId: user.id } })) === 0;
  });
  if (isLast) {
    const why = "This is the only way to sign in to the account. Add a password or a passkey first.";
    return failedPrecondition("identity_link.last_way", why);
  }
  return removeIdentityLink(ctx, { userId: user.id, organizationId: user.organizationId }, link, origin);
}
