/** Imports thousands of users in a few statements, with a result for each of them. */

import { mapInSlices } from "../../concurrency/pauses";
import type { Context } from "../../context";
import type { Origin } from "../../events/record";
import { type ApiError, isApiError } from "../../protocol/api-error";
import type { Transaction } from "../../storage/database";
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
  ctx: Context,
  organizationId: string,
  people: readonly (ImportedPerson | ApiError)[],
  { dryRun, eachByItself }: { dryRun: boolean; eachByItself: boolean },
  origin: Origin,
): Promise<ImportResult[] | ApiError> {
  // A dry run must not block writers.
  const during: typeof changeDirectory = dryRun ? (_, work) => work(ctx.db.prisma) : changeDirectory;
  return onUniqueViolation(nameTaken, () =>
    during(
      ctx,
      async (tx) => {
        const organization = await readOrganization(tx, organizationId);
        if (!organization) return noSuchOrganization();
        const checked = await checkPeople(ctx, tx, organization, people);
        const fit = checked.flatMap((person) => (isApiError(person) ? [] : [person]));
        const isWhole = fit.length === people.length;
        if (!dryRun && (eachByItself || isWhole)) {
          const chosen = fit.flatMap(({ chosenId }) => chosenId ?? []);
          await claimUserIds(ctx, tx, chosen, organizationId);
          await addPeople(ctx, tx, fit, origin);
        }
        return checked.map((person) => (isApiError(person) ? person : { id: person.identity.id }));
      },
      { timeout: MAX_DURATION },
    ),
  );
}

interface Checked {
  identity: UserIdentity;
  /** Undefined for a generated id. */
  chosenId: string | undefined;
  person: NewPerson;
}

async function checkPeople(
  ctx: Context,
  tx: Transaction,
  organization: OrganizationWithDomains,
  people: readonly (ImportedPerson | ApiError)[],
): Promise<(Checked | ApiError)[]> {
  const valid = people.filter((person) => !isApiError(person)) as ImportedPerson[];
  const identities = (await proposeIdentities(ctx, tx, organization, valid)).values();
  return mapInSlices(people, (given): Checked | ApiError => {
    if (isApiError(given)) return given;
    const identity = identities.next().value;
    if (identity === undefined) throw new Error("an identity for each person");
    if (isApiError(identity)) return identity;
    const { id: chosenId, userName: _, ...person } = given;
    return { identity, chosenId, person };
  });
}
