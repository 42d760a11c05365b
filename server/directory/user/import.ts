/** Imports thousands of users in a few statements, with a result for each of them. */

import { mapInSlices } from "../../concurrency/pauses";
import type { ChangeContext, OriginContext, TransactionContext } from "../../events/record";
import { type ApiError, isApiError } from "../../protocol/api-error";
import { type OrganizationWithDomains, readOrganization } from "../../storage/organization/organization";
import { changeDirectory, onUniqueViolation } from "../change";
import { claimUserIds } from "../identifiers";
import { noSuchOrganization } from "../not-found";
import { nameTaken, proposeIdentities, type UserIdentity } from "./login-name";
import { addPeople, type NewPerson } from "./user";

export type ImportedPerson = NewPerson & { id?: string; userName: string };

/** The id of an added user, or why the user cannot be added. */
export type ImportResult = { id: string } | ApiError;

/** Milliseconds. */
const MAX_DURATION = 120_000;

/**
 * Imports users.
 * @param people in order; invalid entries are passed through
 * @param how.dryRun only reports what would happen
 * @param how.eachByItself adds all valid people; otherwise all or none
 * @returns the result for each person, in the same order
 */
export async function importPeople(
  ctx: OriginContext,
  organizationId: string,
  people: readonly (ImportedPerson | ApiError)[],
  { dryRun, eachByItself }: { dryRun: boolean; eachByItself: boolean },
): Promise<ImportResult[] | ApiError> {
  const work = async (ctx: ChangeContext) => {
    const organization = await readOrganization(ctx.tx, organizationId);
    if (!organization) return noSuchOrganization();
    const checked = await checkPeople(ctx, organization, people);
    const fit = checked.flatMap((person) => (isApiError(person) ? [] : [person]));
    const isWhole = fit.length === people.length;
    if (!dryRun && (eachByItself || isWhole)) {
      const chosen = fit.flatMap(({ chosenId }) => chosenId ?? []);
      await claimUserIds(ctx, chosen, organizationId);
      await addPeople(ctx, fit);
    }
    return checked.map((person) => (isApiError(person) ? person : { id: person.identity.id }));
  };
  // A dry run must not block writers.
  if (dryRun) return work({ ...ctx, tx: ctx.db.prisma });
  return onUniqueViolation(nameTaken, () => changeDirectory(ctx, work, { timeout: MAX_DURATION }));
}

interface Checked {
  identity: UserIdentity;
  /** Undefined for a generated id. */
  chosenId: string | undefined;
  person: NewPerson;
}

async function checkPeople(
  ctx: TransactionContext,
  organization: OrganizationWithDomains,
  people: readonly (ImportedPerson | ApiError)[],
): Promise<(Checked | ApiError)[]> {
  const valid = people.filter((person) => !isApiError(person)) as ImportedPerson[];
  const identities = (await proposeIdentities(ctx, organization, valid)).values();
  return mapInSlices(people, (given): Checked | ApiError => {
    if (isApiError(given)) return given;
    const identity = identities.next().value;
    if (identity === undefined) throw new Error("an identity for each person");
    if (isApiError(identity)) return identity;
    const { id: chosenId, userName: _, ...person } = given;
    return { identity, chosenId, person };
  });
}
