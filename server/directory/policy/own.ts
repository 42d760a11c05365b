/**
 * An organization's own policy: added, changed, and reset to the inherited one. Read and written in one transaction, so
 * that of two concurrent additions one is refused.
 */
import type { Context } from "../../context";
import type { Details, Origin } from "../../events/record";
import { readPolicy } from "../../storage/policies";
import { changeDirectory } from "../change";
import { type PolicyKind, type PolicySettings, removePolicy, setPolicy } from "./policies";

/** Which policy of which organization. */
export interface Own<Kind extends PolicyKind = PolicyKind> {
  ownerId: string;
  kind: Kind;
}

export function addOwnPolicy<Kind extends PolicyKind>(
  ctx: Context,
  { ownerId, kind }: Own<Kind>,
  settings: Partial<PolicySettings<Kind>>,
  origin: Origin,
): Promise<Details | "exists"> {
  return changeDirectory(ctx, async (tx) => {
    if (await readPolicy(tx, ownerId, kind)) return "exists";
    return setPolicy(ctx, tx, ownerId, kind, settings, origin);
  });
}

export function changeOwnPolicy<Kind extends PolicyKind>(
  ctx: Context,
  { ownerId, kind }: Own<Kind>,
  settings: Partial<PolicySettings<Kind>>,
  origin: Origin,
): Promise<Details | "missing"> {
  return changeDirectory(ctx, async (tx) => {
    if (!(await readPolicy(tx, ownerId, kind))) return "missing";
    return setPolicy(ctx, tx, ownerId, kind, settings, origin);
  });
}

export function resetOwnPolicy(ctx: Context, { ownerId, kind }: Own, origin: Origin): Promise<Details | "missing"> {
  return changeDirectory(ctx, async (tx) => {
    if (!(await readPolicy(tx, ownerId, kind))) return "missing";
    return removePolicy(ctx, tx, ownerId, kind, origin);
  });
}
