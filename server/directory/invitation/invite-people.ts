/**
 * Inviting several people by their addresses: each becomes a person of the organization who is mailed `invite_user`, and
 * is given roles with it. Everything that can be known is said before anything is sent.
 *
 * Nothing tells whether an address is known elsewhere (attack: an organization that feeds a list of addresses to learn
 * who uses the service): only the organization's own people are named. Whose address is a login name of somebody else, or
 * under a domain of somebody else, is invited all the same, under a user name of this organization's own.
 */
import type { Context } from "../../context";
import { randomCode } from "../../crypto/random";
import type { Origin } from "../../events/record";
import { type ApiError, alreadyExists, invalidArgument, isApiError } from "../../protocol/api-error";
import { reason } from "../../protocol/reason";
import type { Transaction } from "../../storage/database";
import { type AddressHolder, lockInvited, readAddressHolders } from "../../storage/invitations";
import { readOrganization } from "../../storage/organizations";
import { lockProject } from "../../storage/projects";
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

/** Addresses at once: their mails are written in one transaction. */
export const MAX_INVITED = 100;
/** Milliseconds. */
const MAX_DURATION = 30_000;

export interface PeopleToInvite {
  organizationId: string;
  /** As typed. */
  emails: readonly string[];
  /** Of one project of the organization. */
  roles?: RolesToGive;
}

interface RolesToGive {
  projectId: string;
  roleKeys: readonly string[];
}

/** What becomes of one address. */
export interface Invited {
  /** Without the space around it. */
  email: string;
  /** The new person, or the one who is here already. */
  userId?: string;
  /** Left out if the person is, or in a trial would be, invited. */
  error?: ApiError;
}

/**
 * @param how.dryRun only says what would happen
 * @param how.eachByItself invites whoever can be; otherwise all or nobody
 * @returns one for each address, in the same order
 */
export async function invitePeople(
  ctx: Context,
  { organizationId, emails, roles }: PeopleToInvite,
  { dryRun, eachByItself }: { dryRun: boolean; eachByItself: boolean },
  origin: Origin,
): Promise<Invited[] | ApiError> {
  const refusal = roles && (await checkGiving(ctx, ctx.db.prisma, organizationId, roles));
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
    origin,
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

/** Undefined if nobody of the organization has the address. */
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

/** The refusal if these roles cannot be given: the project is not the organization's, or has no such role. */
async function checkGiving(
  ctx: Context,
  tx: Transaction,
  organizationId: string,
  { projectId, roleKeys }: RolesToGive,
): Promise<ApiError | undefined> {
  const project = await lockProject(ctx.db, tx, organizationId, projectId);
  return project ? checkRoles(tx, projectId, roleKeys) : noSuchProject();
}

/**
 * Of two who invite the same address at once, the second finds the person of the first.
 * @returns one for each address; an error if somebody elsewhere has just been given one of the names, so nobody is added
 */
function addInvited(
  ctx: Context,
  { organizationId, emails, roles }: PeopleToInvite,
  { eachByItself }: { eachByItself: boolean },
  origin: Origin,
): Promise<Invited[] | ApiError> {
  return onUniqueViolation(nameTaken, () =>
    changeDirectory(
      ctx,
      async (tx): Promise<Invited[] | ApiError> => {
        const keys = emails.map(comparableLoginName);
        await lockInvited(ctx.db, tx, organizationId, keys);
        const refusal = roles && (await checkGiving(ctx, tx, organizationId, roles));
        if (refusal) return refusal;
        const organization = await readOrganization(tx, organizationId);
        if (!organization) return noSuchOrganization();
        const holders = await readAddressHolders(tx, organizationId, keys);
        const checked = emails.map((email) => heldBy(holders, email) ?? { email });
        const free = checked.filter(({ error }) => !error).map(({ email }) => email);
        if (free.length === 0 || (!eachByItself && free.length < emails.length)) return checked;
        const identities = await identitiesFor(ctx, tx, organization, free);
        if (isApiError(identities)) return identities;
        const people = identities.map((identity, index) => ({ identity, person: { email: free[index] } }));
        await addPeople(ctx, tx, people, origin);
        const applicationName = organization.name;
        for (const { identity, person } of people) {
          const user = { id: identity.id, organizationId, email: person.email ?? null, isEmailVerified: false };
          if (roles) await addUserGrantIn(ctx, tx, user, { organizationId, ...roles }, origin);
          await makeFirstLink(
            ctx,
            tx,
            user,
            { type: "invite_user", applicationName },
            { passing: { by: "mail" }, origin },
          );
        }
        const ids = identities.values();
        return checked.map((one) => (one.error ? one : { ...one, userId: ids.next().value?.id }));
      },
      { timeout: MAX_DURATION },
    ),
  );
}

/** The address as user name; where somebody elsewhere has it, the part before the @, which the organization completes. */
async function identitiesFor(
  ctx: Context,
  tx: Transaction,
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
    const proposed = await proposeIdentities(ctx, tx, organization, people);
    for (const [index, identity] of proposed.entries()) {
      if (!isApiError(identity)) found.set(open[index] ?? "", identity);
    }
  }
  const all = emails.flatMap((email) => found.get(email) ?? []);
  return all.length === emails.length ? all : nameTaken();
}
