/** Organizations: the tenants that own users, projects and texts. */
import type { Context } from "../context";
import { newId } from "../crypto/random";
import { difference } from "../events/difference";
import { type Origin, recordIn } from "../events/record";
import type { Transaction } from "../storage/database";
import { insertOrganization, type OrganizationRow, updateOrganization } from "../storage/organizations";
import { comparable } from "./names";

export interface NewOrganization {
  /** Made where it is not given. */
  id?: string;
  name: string;
  defaultLanguage?: string | null;
}

/** Adds an organization without a domain; see `ensurePrimaryDomain`. */
export async function addOrganization(
  ctx: Context,
  tx: Transaction,
  organization: NewOrganization,
  origin: Origin,
): Promise<string> {
  const { id = newId(), name, defaultLanguage = null } = organization;
  await recordIn(ctx, tx, {
    type: "organization.added",
    aggregateId: id,
    resourceOwner: id,
    origin,
    async state(_, now) {
      const row = { id, name, nameKey: comparable(name), defaultLanguage, state: "active", createdAt: new Date(now) };
      await insertOrganization(tx, row);
      return { payload: { name, defaultLanguage } };
    },
  });
  return id;
}

/**
 * Writes what differs; what is left out stays as it is.
 * @returns whether anything changed
 */
export async function changeOrganization(
  ctx: Context,
  tx: Transaction,
  stored: OrganizationRow,
  wanted: { name?: string; defaultLanguage?: string | null },
  origin: Origin,
): Promise<boolean> {
  const changes = difference(stored, { name: wanted.name, defaultLanguage: wanted.defaultLanguage });
  if (!changes) return false;
  await recordIn(ctx, tx, {
    type: "organization.changed",
    aggregateId: stored.id,
    resourceOwner: stored.id,
    origin,
    async state() {
      const { name } = changes.data;
      await updateOrganization(tx, stored.id, { ...changes.data, ...(name && { nameKey: comparable(name) }) });
      return { payload: changes.payload };
    },
  });
  return true;
}
