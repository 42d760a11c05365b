/** Adds users and machines by API. */
import type { Context } from "../../context";
import type { Origin } from "../../events/record";
import { type ApiError, isApiError } from "../../protocol/api-error";
import type { Transaction } from "../../storage/database";
import { changeDirectory, onUniqueViolation } from "../change";
import { refuseKeyAddress } from "../key-address";
import { claimIdentity, nameTaken, type WantedUser } from "./login-name";
import { addMachine, type NewMachine } from "./machine";
import { addPerson, type NewPerson } from "./user";

/** The identity that an administrator chooses for a new user. */
export type NamedUser = Pick<WantedUser, "id" | "organizationId" | "userName">;

/** Steps in the transaction of an addition. */
export interface Around {
  /** Runs first; an error rolls everything back. */
  before?(tx: Transaction): Promise<ApiError | undefined>;
  /** Runs last; an error rolls everything back. */
  after?(tx: Transaction, id: string): Promise<unknown>;
}

export function createPerson(
  ctx: Context,
  { id, organizationId, userName, ...person }: NewPerson & NamedUser,
  origin: Origin,
  { before, after }: Around = {},
): Promise<{ id: string } | ApiError> {
  return onUniqueViolation(nameTaken, () =>
    changeDirectory(ctx, async (tx) => {
      const refusal = await before?.(tx);
      if (refusal) return refusal;
      const identity = await claimIdentity(ctx, tx, { kind: "human", id, organizationId, userName }, origin);
      if (isApiError(identity)) return identity;
      await addPerson(ctx, tx, identity, person, origin);
      const late = await after?.(tx, identity.id);
      return isApiError(late) ? late : { id: identity.id };
    }),
  );
}

export async function createMachine(
  ctx: Context,
  { id, organizationId, userName, ...machine }: NewMachine & NamedUser,
  origin: Origin,
): Promise<{ id: string } | ApiError> {
  const misplaced = refuseKeyAddress(ctx, machine.jwksUri);
  if (misplaced) return misplaced;
  return onUniqueViolation(nameTaken, () =>
    changeDirectory(ctx, async (tx) => {
      const identity = await claimIdentity(ctx, tx, { kind: "machine", id, organizationId, userName }, origin);
      if (isApiError(identity)) return identity;
      await addMachine(ctx, tx, identity, machine, origin);
      return { id: identity.id };
    }),
  );
}
