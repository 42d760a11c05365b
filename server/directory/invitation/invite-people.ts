/**
 * Invites several people by their addresses: each becomes a user of the organization, receives the mail `invite_user`,
 * and is given roles. All known errors are reported before anything is sent.
 *
 * The results do not reveal whether an address is known elsewhere (attack: an organization that submits a list of
 * addresses to learn who uses the service): only the organization's own users are reported. If the address is a login
 * name of another user, or under another organization's domain, the person is invited anyway, with a user name of this
 * organization.
 */

import type { Context } from "../../context";
import { randomCode } from "../../crypto/random";
import type { OriginContext, TransactionContext } from "../../events/record";
import { type ApiError, alreadyExists, invalidArgument, isApiError } from "../../protocol/api-error";
import { reason } from "../../protocol/reason";
import { readOrganization } from "../../storage/organization/organization";
import { lockProject } from "../../storage/project/project";
import { type AddressHolder, lockInvited, readAddressHolders } from "../../storage/user/invitations";
import { changeDirectory, onUniqueViolation } from "../change";
import * as field from "../fields";
import { makeFirstLink } from "../mailed-code/first-link";
import { checkMailTo, countInvitations, countMailTo } from "../mailed-code/mail-limit";
import { comparableLoginName } from "../names";
import { noSuchOrganization, noSuchProject } from "../not-found";
import { type NamingOrganization, nameTaken, proposeIdentities, type UserIdentity } from "../user/login-name";
import { addPeople } from "../user/user";
import { checkRoles } from "../user-grant/check-roles";
import { addUserGrantIn } from "../user-grant/user-grant";

/** The maximum number of addresses per request: their mails are written in one transaction. */
export const MAX_INVITED = 100;
/** Milliseconds. */
const MAX_DURATION = 30_000;

export interface PeopleToInvite {
  organizationId: string;
  /** Not normalized. */
  emails: readonly string[];
  /** Roles of one project of the organization. */
  roles?: RolesToGive;
}

interface RolesToGive {
  projectId: string;
  roleKeys: readonly string[];
}

/** The result for one address. */
export interface Invited {
  /** Without the surrounding space. */
  email: string;
  /** The new user, or the existing one. */
  userId?: string;
  /** Absent if the person is invited, or would be invited in a dry run. */
  error?: ApiError;
}

/**
 * Invites people by their addresses.
 * @param how.dryRun only reports what would happen
 * @param how.eachByItself invites all who can be invited; otherwise all or no one
 * @returns one result per address, in the same order
 */
export async function invitePeople(
  ctx: OriginContext,
  { organizationId, emails, roles }: PeopleToInvite,
  { dryRun, eachByItself }: { dryRun: boolean; eachByItself: boolean },
): Promise<Invited[] | ApiError> {
  const refusal = roles && (await checkGiving({ ...ctx, tx: ctx.db.prisma }, organizationId, roles));
  if (refusal) return refusal;
  const checked = await checkAddresses(ctx, organizationId, emails);
  const fit = checked.filter(({ error }) => !error);
  if (dryRun || fit.length === 0 || (!eachByItself && fit.length < checked.length)) return checked;
  const tooMany = await countInvitations(ctx, organizationId, fit.length);
  if (tooMany) return tooMany;
  for (const { email } of fit) await countMailTo(ctx, email);
  const added = await addInvited(
    ctx,
    { organizationId, emails: fit.map(({ email }) => email), roles },
    { eachByItself },
  );
  if (isApiError(added)) return added;
  const outcomes = added.values();
  return checked.map((one) => (one.error ? one : (outcomes.next().value ?? one)));
}

async function checkAddresses(ctx: Context, organizationId: string, emails: readonly string[]): Promise<Invited[]> {
  const keys = emails.map((email) => comparableLoginName(email.trim()));
  const holders = await readAddressHolders(ctx.db.prisma, organizationId, [...new Set(keys)]);
  return Promise.all(
    emails.map(async (typed, index): Promise<Invited> => {
      const email = typed.trim();
      const key = keys[index] ?? "";
      if (!field.email.safeParse(email).success) return { email, error: malformed() };
      if (keys.indexOf(key) < index) {
        return {
          email,
          error: invalidArgument("invitation.repeated", "This address is in the list twice. Remove one of them."),
        };
      }
      return heldBy(holders, email) ?? { email, error: await checkMailTo(ctx, email) };
    }),
  );
}

/** Returns the result for an address that a user of the organization has; undefined if there is no such user. */
function heldBy(holders: readonly AddressHolder[], email: string): Invited | undefined {
  const key = comparableLoginName(email);
  const holder = holders.find(({ userNameKey, emailKey }) => userNameKey === key || emailKey === key);
  return (
    holder && {
      email,
      userId: holder.id,
      error: alreadyExists("invitation.already_here", "Someone here has this address already."),
    }
  );
}

function malformed(): ApiError {
  return invalidArgument("request.invalid", "Enter an email address, such as name@example.com.", {
    reason: reason("email"),
  });
}

/** Returns an error if these roles cannot be given: the project is not the organization's, or has no such role. */
async function checkGiving(
  ctx: TransactionContext,
  organizationId: string,
  { projectId, roleKeys }: RolesToGive,
): Promise<ApiError | undefined> {
  const project = await lockProject(ctx.db, ctx.tx, organizationId, projectId);
  return project ? checkRoles(ctx.tx, projectId, roleKeys) : noSuchProject();
}

/**
 * Adds the invited people. If two requests invite the same address at once, the second one finds the person of the
 * first.
 * @returns one result per address; an error if a user elsewhere has just been given one of the names, in which case no
 * one is added
 */
function addInvited(
  ctx: OriginContext,
  { organizationId, emails, roles }: PeopleToInvite,
  { eachByItself }: { eachByItself: boolean },
): Promise<Invited[] | ApiError> {
  return onUniqueViolation(nameTaken, () =>
    changeDirectory(
      ctx,
      async (ctx): Promise<Invited[] | ApiError> => {
        const keys = emails.map(comparableLoginName);
        await lockInvited(ctx.db, ctx.tx, organizationId, keys);
        const refusal = roles && (await checkGiving(ctx, organizationId, roles));
        if (refusal) return refusal;
        const organization = await readOrganization(ctx.tx, organizationId);
        if (!organization) return noSuchOrganization();
        const holders = await readAddressHolders(ctx.tx, organizationId, keys);
        const checked = emails.map((email) => heldBy(holders, email) ?? { email });
        const free = checked.filter(({ error }) => !error).map(({ email }) => email);
        if (free.length === 0 || (!eachByItself && free.length < emails.length)) return checked;
        const identities = await identitiesFor(ctx, organization, free);
        if (isApiError(identities)) return identities;
        const people = identities.map((identity, index) => ({ identity, person: { email: free[index] } }));
        await addPeople(ctx, people);
        const applicationName = organization.name;
        for (const { identity, person } of people) {
          const user = { id: identity.id, organizationId, email: person.email ?? null, isEmailVerified: false };
          if (roles) await addUserGrantIn(ctx, user, { organizationId, ...roles });
          await makeFirstLink(ctx, user, { type: "invite_user", applicationName }, { by: "mail" });
        }
        const ids = identities.values();
        return checked.map((one) => (one.error ? one : { ...one, userId: ids.next().value?.id }));
      },
      { timeout: MAX_DURATION },
    ),
  );
}

/**
 * Returns user names: the address, or if another user has it, the part before the @, which the organization completes.
 */
async function identitiesFor(
  ctx: TransactionContext,
  organization: NamingOrganization,
  emails: readonly string[],
): Promise<UserIdentity[] | ApiError> {
  const localPart = (email: string) => email.slice(0, email.lastIndexOf("@"));
  const names = [
    (email: string) => email,
    localPart,
    (email: string) => `${localPart(email)}-${randomCode().slice(0, 4).toLowerCase()}`,
  ];
  const found = new Map<string, UserIdentity>();
  for (const nameFor of names) {
    const open = emails.filter((email) => !found.has(email));
    const people = open.map((email) => ({ userName: nameFor(email) }));
    const proposed = await proposeIdentities(ctx, organization, people);
    for (const [index, identity] of proposed.entries()) {
      if (!isApiError(identity)) found.set(open[index] ?? "", identity);
    }
  }
  const all = emails.flatMap((email) => found.get(email) ?? []);
  return all.length === emails.length ? all : nameTaken();
}
