/** Adding people and machines by API, with the checks that no database constraint makes. */
import type { Context } from "../../context";
import type { Origin } from "../../events/record";
import {
  type ApiError,
  alreadyExists,
  failedPrecondition,
  invalidArgument,
  isApiError,
} from "../../protocol/api-error";
import { readAppByClientId } from "../../storage/apps";
import type { Transaction } from "../../storage/database";
import { readOrganization, readVerifiedOwner } from "../../storage/organizations";
import { readLoginNameOwner, readMachineByName, readUser } from "../../storage/users";
import { RESERVED_NAMES } from "../app/console-client";
import { answering, changeDirectory } from "../change";
import { comparable, comparableLoginName } from "../names";
import { noSuchOrganization } from "../organization/organization";
import { addMachine, type NewMachine } from "./machine";
import { addPerson, type NewPerson, userKeys } from "./user";

/** Actors of the audit trail that are not users; a user with such an id could be mistaken for them. */
export const ACTORS = new Set(["bootstrap", "operator", "system"]);

export const nameTaken = () =>
  alreadyExists("user.already_exists", "Somebody has this user name already.", { field: "userName" });
export const idTaken = () => alreadyExists("user.id_taken", "There is a user of this id already.", { field: "userId" });
export const foreignDomain = () =>
  failedPrecondition("user.domain_taken", "The user name ends in a domain that another organization has verified.", {
    field: "userName",
  });

/** @param also done in the same transaction after the person was added */
export function createPerson(
  ctx: Context,
  person: Omit<NewPerson, "primaryDomain">,
  origin: Origin,
  also: (tx: Transaction, id: string) => Promise<void> = async () => {},
): Promise<{ id: string } | ApiError> {
  return answering(nameTaken, () =>
    changeDirectory(ctx, async (tx) => {
      const primaryDomain = await freeName(tx, person);
      if (isApiError(primaryDomain)) return primaryDomain;
      const id = await addPerson(ctx, tx, { ...person, primaryDomain }, origin);
      await also(tx, id);
      return { id };
    }),
  );
}

export function createMachine(
  ctx: Context,
  machine: Omit<NewMachine, "primaryDomain">,
  origin: Origin,
): Promise<{ id: string } | ApiError> {
  return answering(nameTaken, () =>
    changeDirectory(ctx, async (tx) => {
      const primaryDomain = await freeName(tx, machine);
      if (isApiError(primaryDomain)) return primaryDomain;
      const refusal = await checkClientId(tx, machine.userName);
      return refusal ?? { id: await addMachine(ctx, tx, { ...machine, primaryDomain }, origin) };
    }),
  );
}

/** A machine's client id is its user name, so no app or other machine may have the same one. */
export async function checkClientId(tx: Transaction, userName: string, ownId?: string): Promise<ApiError | undefined> {
  const reason = RESERVED_NAMES.get(comparable(userName));
  if (reason) return invalidArgument("user.reserved_name", `The user name ${reason}.`, { field: "userName" });
  const machineId = await readMachineByName(tx, comparableLoginName(userName));
  if ((machineId ?? ownId) !== ownId || (await readAppByClientId(tx, userName))) {
    return alreadyExists("user.client_id_taken", "An app or a machine has this client id already.", {
      field: "userName",
    });
  }
  return undefined;
}

interface Named {
  id?: string;
  organizationId: string;
  userName: string;
}

/** The primary domain for a new user's name, if name and id are free. */
export async function freeName(tx: Transaction, { id, organizationId, userName }: Named): Promise<string | ApiError> {
  const organization = await readOrganization(tx, organizationId);
  if (!organization) return noSuchOrganization();
  if (id !== undefined && (ACTORS.has(id) || (await readUser(tx, id)))) return idTaken();
  return nameIn(tx, organization, userName);
}

/** The same for an existing user's new name. @param ownId the user who may have the name already */
export async function nameIn(
  tx: Transaction,
  organization: { id: string; domains: { domain: string; isPrimary: boolean }[] },
  userName: string,
  ownId?: string,
): Promise<string | ApiError> {
  const primaryDomain = organization.domains.find(({ isPrimary }) => isPrimary)?.domain ?? "";
  const { loginNameKey, userNameDomain } = userKeys(userName, primaryDomain);
  const owner = userNameDomain === null ? undefined : await readVerifiedOwner(tx, userNameDomain);
  if ((owner ?? organization.id) !== organization.id) return foreignDomain();
  const other = await readLoginNameOwner(tx, loginNameKey);
  return (other ?? ownId) === ownId ? primaryDomain : nameTaken();
}
