/**
 * The mapping of a provider. Who sets it, or names another server while it gives roles, must be allowed to give the
 * owner's users any role of their projects: the server decides who gets them (attack: a settings manager who becomes an
 * administrator of an app by a group of their own provider).
 */
import { z } from "zod";
import type { Context } from "../../context";
import { type ChangeContext, type Details, type OriginContext, recordIn } from "../../events/record";
import { type ApiError, invalidArgument, isApiError, permissionDenied } from "../../protocol/api-error";
import { MAPPED_NAMES, type ProviderMapping, type RoleRule } from "../../protocol/provider-mapping";
import {
  type IdentityProviderRow,
  readIdentityProvider,
  updateIdentityProvider,
} from "../../storage/identity-provider/providers";
import { readProject } from "../../storage/project/project";
import { changeDirectory } from "../change";
import { identifier, line, name, strict } from "../fields";
import { hasPermission } from "../member/permissions";
import { noSuchProject } from "../not-found";
import { checkPrivilegeOverMessages, type ProviderOwner } from "../provider/channel";
import { checkRoles } from "../user-grant/check-roles";
import { changeInManagedProject } from "../user-grant/edit";
import { noIdentityProvider } from "./identity-provider";

const claim = line(200);

const roleRule = {
  claim: claim.meta({ description: "A member, or a path of members with dots: `realm_access.roles`" }),
  value: line(200).meta({ description: "The value of the claim, or one of its values" }),
  projectId: identifier,
  roleKeys: z.array(name).min(1).max(100),
};
const profile = strict(Object.fromEntries(MAPPED_NAMES.map((one) => [one, claim.optional()]))).optional();

/** The mapping of an organization's provider. */
export const providerMapping = strict({
  profile,
  roles: z
    .array(strict({ ...roleRule, projectGrantId: identifier.optional() }))
    .max(100)
    .optional(),
});

/** The mapping of a provider of the service: the grant of a project is that of the user's organization. */
export const instanceProviderMapping = strict({ profile, roles: z.array(strict(roleRule)).max(100).optional() });

export const givesRoles = ({ mapping }: Pick<IdentityProviderRow, "mapping">): boolean =>
  (mapping?.roles?.length ?? 0) > 0;

/** Returns the refusal of a caller who may not give roles to all users whom the owner's providers sign in. */
export async function checkMayMapRoles(
  ctx: Context,
  actor: string,
  { level, ownerId: organizationId }: ProviderOwner,
): Promise<ApiError | undefined> {
  const scope = level === "instance" ? {} : { organizationId };
  if (await hasPermission(ctx, actor, "user.grant.write", scope)) return undefined;
  return permissionDenied(
    "identity_provider.maps_roles",
    "This provider gives roles: it takes the permission to give users roles (user.grant.write).",
  );
}

/** Replaces the mapping of a provider. */
export async function setProviderMapping(
  ctx: OriginContext,
  owner: ProviderOwner,
  id: string,
  mapping: ProviderMapping,
): Promise<Details | ApiError> {
  const refusal =
    (await checkPrivilegeOverMessages(ctx, ctx.origin.actor, owner)) ??
    (mapping.roles?.length ? await checkMayMapRoles(ctx, ctx.origin.actor, owner) : undefined) ??
    (await unknownRole(ctx, owner, mapping));
  if (refusal) return refusal;
  return changeDirectory(ctx, async (ctx) => {
    if (!(await readIdentityProvider(ctx.tx, owner.ownerId, id))) return noIdentityProvider();
    return setProviderMappingIn(ctx, owner, id, mapping);
  });
}

/** Replaces the mapping of a provider. The caller has checked the roles and the permissions. */
export const setProviderMappingIn = (
  ctx: ChangeContext,
  { level, ownerId }: ProviderOwner,
  id: string,
  mapping: ProviderMapping,
): Promise<Details> =>
  recordIn(ctx, {
    type: `${level}.identity_provider.changed`,
    object: { id: ownerId, organizationId: ownerId },
    async state(_, now) {
      await updateIdentityProvider(ctx.tx, id, { mapping }, now);
      return { payload: { providerId: id, mapping: { ...mapping } } };
    },
  });

async function unknownRole(
  ctx: OriginContext,
  owner: ProviderOwner,
  { roles = [] }: ProviderMapping,
): Promise<ApiError | undefined> {
  for (const [index, rule] of roles.entries()) {
    const refusal = await wrongRule(ctx, owner, rule);
    if (!isApiError(refusal)) continue;
    const field = `roles[${index}].${refusal.field ?? "projectId"}`;
    return refusal.field ? { ...refusal, field } : invalidArgument("project.not_found", refusal.message, { field });
  }
  return undefined;
}

/** Rules of the service may name any project: users get its roles only where their own organization has it. */
function wrongRule(
  ctx: OriginContext,
  { level, ownerId }: ProviderOwner,
  { projectId, projectGrantId, roleKeys }: RoleRule,
) {
  if (level === "instance") {
    return changeDirectory(ctx, async (ctx) =>
      (await readProject(ctx.tx, projectId)) ? checkRoles(ctx.tx, projectId, roleKeys) : noSuchProject(),
    );
  }
  const ref = { organizationId: ownerId, projectId, projectGrantId };
  return changeInManagedProject(ctx, ref, (ctx, granted) => checkRoles(ctx.tx, projectId, roleKeys, granted));
}
