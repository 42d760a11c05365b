import type { Context } from "../../context";
import { difference } from "../../events/difference";
import { type ChangeContext, type Details, recordIn, UNCHANGED } from "../../events/record";
import type { Transaction } from "../../storage/database";
import { deletePolicy, listPolicies, readPoliciesOf, readPolicy, writePolicy } from "../../storage/policy/policy";
import { createCache } from "../cache";
import { findInstance } from "../instance";
import { inForce, resolvePolicy } from "./resolve-policy";
import type { PolicyKind, PolicySettings } from "./settings";

export type { PolicyKind, PolicySettings };

interface Levels {
  /** The level's own settings; undefined if it has none. */
  instance: Record<string, unknown> | undefined;
  organization: Record<string, unknown> | undefined;
}

interface Resolved {
  settings: PolicySettings<PolicyKind>;
  /** What the settings depend on: a change of any of these removes them from the cache. */
  dependsOn: readonly (string | undefined)[];
}

const resolved = createCache<Resolved>("policies", (_, { dependsOn }) => dependsOn);

/**
 * Returns the effective settings in an organization, at most five seconds old.
 * @param organizationId undefined for the instance's, if no organization is known yet
 */
export async function findPolicy<Kind extends PolicyKind>(
  ctx: Context,
  kind: Kind,
  organizationId: string | undefined,
): Promise<PolicySettings<Kind>> {
  const policy = await resolved.get(ctx, `${kind} ${organizationId ?? ""}`, async () => {
    const { id } = await findInstance(ctx);
    const { instance, organization } = await readPolicyLevels(ctx, kind, organizationId);
    const owners = organizationId === undefined ? [id] : [id, organizationId];
    return {
      settings: inForce(kind, resolvePolicy(kind, [instance, organization])),
      dependsOn: [...owners.map((ownerId) => aggregateIdOf(ownerId, kind)), organizationId],
    };
  });
  return policy?.settings as PolicySettings<Kind>;
}

/** Returns each level's own settings, read from the database. */
export async function readPolicyLevels(
  ctx: Context,
  kind: PolicyKind,
  organizationId: string | undefined,
): Promise<Levels> {
  const { id } = await findInstance(ctx);
  const rows = await listPolicies(ctx.db, kind, [id, organizationId ?? id]);
  const saidBy = (ownerId: string | undefined) => rows.find((row) => row.ownerId === ownerId)?.settings;
  return { instance: saidBy(id), organization: saidBy(organizationId) };
}

/**
 * Returns the effective settings for a change that depends on them. Reads in the change's transaction, so that it does
 * not wait for a second connection while holding one.
 */
export async function readPolicyIn<Kind extends PolicyKind>(
  tx: Transaction,
  kind: Kind,
  organizationId: string,
): Promise<PolicySettings<Kind>> {
  return resolvePolicy(kind, await readPoliciesOf(tx, organizationId, kind));
}

/**
 * Replaces the settings of one level. The caller has validated them and checked permissions.
 * @param ownerId an organization, or the instance
 */
export function setPolicy<Kind extends PolicyKind>(
  ctx: ChangeContext,
  ownerId: string,
  kind: Kind,
  settings: Partial<PolicySettings<Kind>>,
): Promise<Details> {
  return recordIn(ctx, {
    type: "policy.set",
    object: { id: aggregateIdOf(ownerId, kind), organizationId: ownerId },
    async state(_, now) {
      const stored = await readPolicy(ctx.tx, ownerId, kind);
      const changes = difference<{ settings: object }>({ settings: stored }, { settings });
      if (!changes) return UNCHANGED;
      await writePolicy(ctx.tx, ownerId, kind, settings, now);
      return { payload: { kind, ...changes.payload } };
    },
  });
}

/** Removes a level's own settings. */
export function removePolicy(ctx: ChangeContext, ownerId: string, kind: PolicyKind): Promise<Details> {
  return recordIn(ctx, {
    type: "policy.removed",
    object: { id: aggregateIdOf(ownerId, kind), organizationId: ownerId },
    async state() {
      const stored = await readPolicy(ctx.tx, ownerId, kind);
      if (!stored) return UNCHANGED;
      await deletePolicy(ctx.tx, ownerId, kind);
      return { payload: { kind, ...difference({ settings: stored }, { settings: null })?.payload } };
    },
  });
}

/** Returns the aggregate of a policy's events, from which its details are read. */
export function aggregateIdOf(ownerId: string, kind: PolicyKind): string {
  return `${ownerId} ${kind}`;
}
