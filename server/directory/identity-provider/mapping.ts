/**
 * The mapping of an organization's provider. Who sets it, or names another server while it gives roles, must be allowed
 * to give users of the organization any role of its projects: the server decides who gets them (attack: a settings
 * manager who becomes an administrator of an app by a group of their own provider).
 */
import { z } from "zod";
import type { Context } from "../../context";
import { type Details, type Origin, recordIn } from "../../events/record";
import { type ApiError, invalidArgument, isApiError, permissionDenied } from "../../protocol/api-error";
import { MAPPED_NAMES, type ProviderMapping } from "../../protocol/provider-mapping";
import type { Transaction } from "../../storage/database";
import {
  type IdentityProviderRow,
  readIdentityProvider,
  updateIdentityProvider,
} from "../../storage/identity-provider/providers";
import { changeDirectory } from "../change";
import { identifier, line, name, strict } from "../fields";
import { hasPermission } from "../member/permissions";
import { checkPrivilegeOverMessages, ofOrganization, type ProviderOwner } from "../provider/channel";
import { changeInManagedProject } from "../user-grant/change";
import { checkRoles } from "../user-grant/check-roles";
import { noIdentityProvider } from "./identity-provider";

const claim = line(200);

export const providerMapping = strict({
  profile: strict(Object.fromEntries(MAPPED_NAMES.map((one) => [one, claim.optional()]))).optional(),
  roles: z
    .array(
      strict({
        claim: claim.meta({ description: "A member, or a path of members with dots: `realm_access.roles`" }),
        value: line(200).meta({ description: "The value of the claim, or one of its values" }),
        projectId: identifier,
        projectGrantId: identifier.optional(),
        roleKeys: z.array(name).min(1).max(100),
      }),
    )
    .max(100)
    .optional(),
});

export const givesRoles = ({ mapping }: Pick<IdentityProviderRow, "mapping">): boolean =>
  (mapping?.roles?.length ?? 0) > 0;

/** Returns the refusal of a caller who may not give roles in the owner's organization. */
export async function checkMayMapRoles(
  ctx: Context,
  actor: string,
  { ownerId: organizationId }: ProviderOwner,
): Promise<ApiError | undefined> {
  if (await hasPermission(ctx, actor, "user.grant.write", { organizationId })) return undefined;
  return permissionDenied(
    "identity_provider.maps_roles",
    "This provider gives roles: it takes the permission to give users roles (user.grant.write).",
  );
}

/** Replaces the mapping of a provider. */
export async function setProviderMapping(
  ctx: Context,
  organizationId: string,
  id: string,
  mapping: ProviderMapping,
  origin: Origin,
): Promise<Details | ApiError> {
  const owner = ofOrganization(organizationId);
  const refusal =
    (await checkPrivilegeOverMessages(ctx, origin.actor, owner)) ??
    (mapping.roles?.length ? await checkMayMapRoles(ctx, origin.actor, owner) : undefined) ??
    (await unknownRole(ctx, organizationId, mapping));
  if (refusal) return refusal;
  return changeDirectory(ctx, async (tx) => {
    if (!(await readIdentityProvider(tx, organizationId, id))) return noIdentityProvider();
    return setProviderMappingIn(ctx, tx, { organizationId, id }, mapping, origin);
  });
}

/** Replaces the mapping of a provider. The caller has checked the roles and the permissions. */
export const setProviderMappingIn = (
  ctx: Context,
  tx: Transaction,
  { organizationId, id }: { organizationId: string; id: string },
  mapping: ProviderMapping,
  origin: Origin,
): Promise<Details> =>
  recordIn(ctx, tx, {
    type: "organization.identity_provider.changed",
    aggregateId: organizationId,
    resourceOwner: organizationId,
    origin,
    async state(_, now) {
      await updateIdentityProvider(tx, id, { mapping }, now);
      return { payload: { providerId: id, mapping: { ...mapping } } };
    },
  });

async function unknownRole(
  ctx: Context,
  organizationId: string,
  { roles = [] }: ProviderMapping,
): Promise<ApiError | undefined> {
  for (const [index, { projectId, projectGrantId, roleKeys }] of roles.entries()) {
    const refusal = await changeInManagedProject(ctx, { organizationId, projectId, projectGrantId }, (tx, granted) =>
      checkRoles(tx, projectId, roleKeys, granted),
    );
    if (!isApiError(refusal)) continue;
    const field = `roles[${index}].${refusal.field ?? "projectId"}`;
    return refusal.field ? { ...refusal, field } : invalidArgument("project.not_found", refusal.message, { field });
  }
  return undefined;
}
