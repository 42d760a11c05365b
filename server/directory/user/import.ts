/** Importing thousands of people in a few statements, with a result for each of them. */
import type { Context } from "../../context";
import { newId } from "../../crypto/random";
import type { Origin } from "../../events/record";
import { type ApiError, isApiError } from "../../protocol/api-error";
import type { Transaction } from "../../storage/database";
import { type OrganizationWithDomains, readOrganization, readVerifiedOwner } from "../../storage/organizations";
import { readTaken } from "../../storage/user-bulk";
import { mapInSlices } from "../../work/pauses";
import { answering, changeDirectory } from "../change";
import { noSuchOrganization } from "../organization/organization";
import { ACTORS, foreignDomain, idTaken, nameTaken } from "./create";
import { addPeople, type NewPerson, userKeys } from "./user";

export type ImportedPerson = Omit<NewPerson, "organizationId" | "primaryDomain">;

/** The id of an added person, or why they cannot be added. */
export type ImportResult = { id: string } | ApiError;

/** Milliseconds. */
const LONGEST = 120_000;

/**
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
  // What only looks must not keep others from writing meanwhile.
  const during: typeof changeDirectory = dryRun ? (_, work) => work(ctx.db.prisma) : changeDirectory;
  return answering(nameTaken, () =>
    during(
      ctx,
      async (tx) => {
        const organization = await readOrganization(tx, organizationId);
        if (!organization) return noSuchOrganization();
        const checked = await checkPeople(tx, organization, people);
        const fit = checked.flatMap((person) => (isApiError(person) ? [] : [person]));
        const isWhole = fit.length === people.length;
        if (!dryRun && (eachByItself || isWhole)) await addPeople(ctx, tx, fit, origin);
        return checked.map((person) => (isApiError(person) ? person : { id: person.id }));
      },
      { timeout: LONGEST },
    ),
  );
}

type Checked = (NewPerson & { id: string }) | ApiError;

async function checkPeople(
  tx: Transaction,
  organization: OrganizationWithDomains,
  people: readonly (ImportedPerson | ApiError)[],
): Promise<Checked[]> {
  const primaryDomain = organization.domains.find(({ isPrimary }) => isPrimary)?.domain ?? "";
  const keyed = await mapInSlices(people, (person) =>
    isApiError(person) ? person : { person, keys: userKeys(person.userName, primaryDomain) },
  );
  const known = keyed.flatMap((entry) => (isApiError(entry) ? [] : [entry]));
  const taken = await readTaken(tx, {
    ids: known.flatMap(({ person }) => person.id ?? []),
    loginNameKeys: known.map(({ keys }) => keys.loginNameKey),
  });
  const ids = new Set([...ACTORS, ...taken.map(({ id }) => id)]);
  const names = new Set(taken.map(({ loginNameKey }) => loginNameKey));
  const foreign = new Set<string>();
  for (const domain of new Set(known.flatMap(({ keys }) => keys.userNameDomain ?? []))) {
    if (((await readVerifiedOwner(tx, domain)) ?? organization.id) !== organization.id) foreign.add(domain);
  }
  return mapInSlices(keyed, (entry): Checked => {
    if (isApiError(entry)) return entry;
    const { person, keys } = entry;
    const id = person.id ?? newId();
    if (ids.has(id)) return idTaken();
    if (names.has(keys.loginNameKey)) return nameTaken();
    if (keys.userNameDomain !== null && foreign.has(keys.userNameDomain)) return foreignDomain();
    // Of two people with the same name the first one counts.
    ids.add(id);
    names.add(keys.loginNameKey);
    return { ...person, id, organizationId: organization.id, primaryDomain };
  });
}
