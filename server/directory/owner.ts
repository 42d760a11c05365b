/** Finds what owns an object, for requests that name only the object. */
import type { Context } from "../context";
import { findOwnerRow, type OwnedKind, type OwnerRow } from "../storage/organization/owners";
import { identifier } from "./fields";

export type { OwnedKind };

/** Returns undefined if the object does not exist. */
export async function findOwner(ctx: Context, kind: OwnedKind, id: string): Promise<OwnerRow | undefined> {
  return identifier.safeParse(id).success ? findOwnerRow(ctx.db, kind, id) : undefined;
}
