/** Organizations: the tenants that own users, projects and texts. */
import type { Context } from "../../context";
import { newId } from "../../crypto/random";
import { difference } from "../../events/difference";
import { type ChangeContext, type Details, noteChange, type OriginContext, recordIn } from "../../events/record";
import { type ApiError, failedPrecondition, isApiError } from "../../protocol/api-error";
import { endTokensOf, readClientIds } from "../../storage/app/app";
import { lockInstanceRow } from "../../storage/instance/instance";
import {
  anyOrganizationWithoutKey,
  deleteOrganization,
  insertOrganization,
  lockOrganization,
  type OrganizationRow,
  readOrganization,
  readOrganizationsWithoutKey,
  updateOrganizationRow,
} from "../../storage/organization/organization";
import { changeDirectory, onUniqueViolation } from "../change";
import { claimId, idTaken } from "../identifiers";
import { checkOwnerLeft } from "../member/last-instance-owner";
import { addFirstMembers, checkFirstMembers, type FirstMember } from "../member/members";
import { comparable } from "../names";
import { noSuchOrganization } from "../not-found";
import { addFreePrimaryDomain } from "./domain";

export interface NewOrganization {
  /** Generated if omitted. */
  id?: string;
  name: string;
  defaultLanguage?: string | null;
}

/** Adds an organization without a domain. */
export async function addOrganization(ctx: ChangeContext, organization: NewOrganization): Promise<string | ApiError> {
  const { name, defaultLanguage = null } = organization;
  const wanted = organization.id ?? newId();
  const id = await claimId(ctx, { kind: "organization", id: wanted, organizationId: wanted });
  if (isApiError(id)) return id;
  await recordIn(ctx, {
    type: "organization.added",
    object: { id, organizationId: id },
    async state(_, now) {
      const row = { id, name, nameKey: comparable(name), defaultLanguage, state: "active", createdAt: now };
      await insertOrganization(ctx.tx, row);
      return { payload: { name, defaultLanguage } };
    },
  });
  return id;
}

/**
 * Updates the fields that differ; omitted fields are kept.
 * @returns whether anything changed
 */
export async function changeOrganization(
  ctx: ChangeContext,
  stored: OrganizationRow,
  wanted: { name?: string; defaultLanguage?: string | null },
): Promise<boolean> {
  noteChange(ctx.tx, "organization.changed", stored.id);
  const changes = difference(stored, { name: wanted.name, defaultLanguage: wanted.defaultLanguage });
  if (!changes) return false;
  await recordIn(ctx, {
    type: "organization.changed",
    object: { id: stored.id, organizationId: stored.id },
    async state() {
      const { name } = changes.data;
      await updateOrganizationRow(ctx.tx, stored.id, { ...changes.data, ...(name && { nameKey: comparable(name) }) });
      return { payload: changes.payload };
    },
  });
  return true;
}

/**
 * Adds an organization with a free primary domain.
 * @param from the organization that the caller acts for
 * @param owners its first managers; left out: the caller, as its owner
 */
export async function createOrganization(
  ctx: OriginContext,
  { from, owners, ...organization }: { id?: string; name: string; from: string; owners?: readonly FirstMember[] },
): Promise<{ id: string; primaryDomain: string } | ApiError> {
  // No user has a role on the new organization yet, so roles on the instance decide.
  const at = { level: "organization", scope: {}, visibleFrom: from } as const;
  const refusal = await checkFirstMembers(ctx, at, owners ?? []);
  if (refusal) return refusal;
  return onUniqueViolation(
    () => idTaken("organization"),
    () =>
      changeDirectory(ctx, async (ctx) => {
        const made = await addOrganizationWithDomain(ctx, organization);
        if (isApiError(made)) return made;
        const first = owners ?? [{ userId: ctx.origin.actor, roles: ["ORG_OWNER"] }];
        const level = { ...at, levelId: made.id, resourceOwner: made.id };
        return (await addFirstMembers(ctx, level, first)) ?? made;
      }),
  );
}

/** Adds an organization with a free primary domain. */
export async function addOrganizationWithDomain(
  ctx: ChangeContext,
  organization: NewOrganization,
): Promise<{ id: string; primaryDomain: string } | ApiError> {
  const id = await addOrganization(ctx, organization);
  if (isApiError(id)) return id;
  return { id, primaryDomain: await addFreePrimaryDomain(ctx, { id, name: organization.name }) };
}

/** Activates an organization, or deactivates it with its users and apps, from the next request on. */
export function setOrganizationState(
  ctx: OriginContext,
  id: string,
  state: "active" | "inactive",
): Promise<Details | ApiError> {
  return changeDirectory(ctx, async (ctx) => {
    const stored = await readOrganization(ctx.tx, id);
    if (!stored) return noSuchOrganization();
    if (stored.state === state) {
      return failedPrecondition(`organization.already_${state}`, `The organization is ${state} already.`);
    }
    const refusal = state === "inactive" ? await checkOwnerLeft(ctx, { organizationId: id }) : undefined;
    if (refusal) return refusal;
    return recordIn(ctx, {
      type: state === "active" ? "organization.reactivated" : "organization.deactivated",
      object: { id, organizationId: id },
      async state() {
        await updateOrganizationRow(ctx.tx, id, { state });
        return {};
      },
    });
  });
}

/** Milliseconds. A large organization has many users to remove. */
const MAX_REMOVAL_DURATION = 10 * 60_000;

/** Removes an organization with everything in it; its tokens are invalid from the next request on. */
export function removeOrganization(ctx: OriginContext, id: string): Promise<Details | ApiError> {
  return changeDirectory(
    ctx,
    async (ctx) => {
      const refusal = await checkOwnerLeft(ctx, { organizationId: id });
      const stored = await lockOrganization(ctx.db, ctx.tx, id);
      if (!stored) return noSuchOrganization();
      if ((await lockInstanceRow(ctx.db, ctx.tx))?.defaultOrganizationId === id) {
        return failedPrecondition("organization.is_default", "Make another organization the default one first.");
      }
      if (refusal) return refusal;
      return recordIn(ctx, {
        type: "organization.removed",
        object: { id, organizationId: id },
        async state(_, now) {
          // The operator may recreate apps with these client ids, and old tokens must not become valid again.
          await endTokensOf(ctx.tx, await readClientIds(ctx.tx, { organizationId: id }), now);
          await deleteOrganization(ctx.tx, id);
          return { payload: { name: stored.name } };
        },
      });
    },
    { timeout: MAX_REMOVAL_DURATION },
  );
}

/** Adds sort keys to organizations that were stored without one. There are few enough to do it at once. */
export async function ensureNameKeys(ctx: Context): Promise<void> {
  if (!(await anyOrganizationWithoutKey(ctx.db))) return;
  await ctx.db.transaction(
    async (tx) => {
      for (const { id, name } of await readOrganizationsWithoutKey(tx)) {
        await updateOrganizationRow(tx, id, { nameKey: comparable(name) });
      }
    },
    { timeout: MAX_REMOVAL_DURATION },
  );
}
