/** Adds users and machines by API. */
import type { ChangeContext, OriginContext } from "../../events/record";
import { type ApiError, isApiError } from "../../protocol/api-error";
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
  before?(ctx: ChangeContext): Promise<ApiError | undefined>;
  /** Runs last; an error rolls everything back. */
  after?(ctx: ChangeContext, id: string): Promise<unknown>;
}

export function createPerson(
  ctx: OriginContext,
  { id, organizationId, userName, ...person }: NewPerson & NamedUser,
  { before, after }: Around = {},
): Promise<{ id: string } | ApiError> {
  return onUniqueViolation(nameTaken, () =>
    changeDirectory(ctx, async (ctx) => {
      const refusal = await before?.(ctx);
      if (refusal) return refusal;
      const identity = await claimIdentity(ctx, { kind: "human", id, organizationId, userName });
      if (isApiError(identity)) return identity;
      await addPerson(ctx, identity, person);
      const late = await after?.(ctx, identity.id);
      return isApiError(late) ? late : { id: identity.id };
    }),
  );
}

export async function createMachine(
  ctx: OriginContext,
  { id, organizationId, userName, ...machine }: NewMachine & NamedUser,
): Promise<{ id: string } | ApiError> {
  const misplaced = refuseKeyAddress(ctx, machine.jwksUri);
  if (misplaced) return misplaced;
  return onUniqueViolation(nameTaken, () =>
    changeDirectory(ctx, async (ctx) => {
      const identity = await claimIdentity(ctx, { kind: "machine", id, organizationId, userName });
      if (isApiError(identity)) return identity;
      await addMachine(ctx, identity, machine);
      return { id: identity.id };
    }),
  );
}
