/**
 * Gives a user the roles that the provider's mapping says, and takes away those that it no longer says. Only roles that
 * the mapping gave are taken away; roles given by hand stay. The link remembers which are which. Users get only roles
 * of projects that their own organization has or was granted, also by a provider of the service.
 */
import { isDeepStrictEqual } from "node:util";
import type { Context } from "../../context";
import type { IdentityProvider } from "../../directory/identity-provider/identity-provider";
import { changeInManagedProject } from "../../directory/user-grant/edit";
import { addUserGrantIn, changeUserGrantIn, removeUserGrantIn } from "../../directory/user-grant/user-grant";
import { asSystem, type ChangeContext } from "../../events/record";
import { isApiError } from "../../protocol/api-error";
import type { MappedGrant } from "../../protocol/provider-mapping";
import {
  findIdentityLink,
  type IdentityLinkId,
  type MappedRoles,
  readIdentityLink,
  setMappedRoles,
} from "../../storage/identity-provider/links";
import { readProjectRoles } from "../../storage/project/project";
import { findActiveProjectGrant } from "../../storage/project/project-grants";
import { lockUser } from "../../storage/user/user";
import { readUserGrant } from "../../storage/user-grant/user-grant";
import type { ProvenIdentity } from "./identity";

type MappedUser = { id: string; organizationId: string };

/** @returns what changed, for the sign-in attempt; undefined if nothing did */
export async function applyMappedRoles(
  ctx: Context,
  { id: providerId, options, mapping }: IdentityProvider,
  { externalId, grants = [] }: ProvenIdentity,
  user: MappedUser,
): Promise<string | undefined> {
  const link = await findIdentityLink(ctx.db, providerId, externalId);
  const had = link?.mappedRoles ?? {};
  if (!link || !options.isAutoUpdate || (!mapping?.roles && Object.keys(had).length === 0)) return undefined;
  if (isDeepStrictEqual(had, Object.fromEntries(grants.map((one) => [one.projectId, one.roleKeys])))) return undefined;
  const lost = Object.keys(had).filter((projectId) => grants.every((one) => one.projectId !== projectId));
  const changes: string[] = [];
  for (const grant of [...grants, ...lost.map((projectId) => ({ projectId, roleKeys: [] }))]) {
    const changed = await settle(ctx, link, user, grant);
    if (changed) changes.push(changed);
  }
  return changes.length === 0 ? undefined : `roles ${changes.join(", ")}`.slice(0, 200);
}

/** Settles the roles of one project. A project, project grant or role that is gone gives nothing. */
async function settle(
  ctx: Context,
  link: IdentityLinkId,
  user: MappedUser,
  { projectId, projectGrantId, roleKeys }: MappedGrant,
): Promise<string | undefined> {
  const { organizationId } = user;
  const key = { userId: user.id, projectId, organizationId };
  const found = await readUserGrant(ctx.db.prisma, key);
  const received = () => findActiveProjectGrant(ctx.db, { projectId, organizationId });
  const ref = { ...key, projectGrantId: projectGrantId ?? found?.projectGrantId ?? (await received()) };
  const outcome = await changeInManagedProject(asSystem(ctx), ref, async (ctx, granted) => {
    await lockUser(ctx.db, ctx.tx, user.id);
    const had = (await readIdentityLink(ctx.tx, link.providerId, link.externalId))?.mappedRoles ?? {};
    const known = new Set((await readProjectRoles(ctx.tx, projectId)).map((role) => role.roleKey));
    const wanted = roleKeys.filter((role) => known.has(role) && granted?.includes(role) !== false);
    return settleIn(ctx, { link, user, had, ref, wanted });
  });
  return isApiError(outcome) ? undefined : outcome;
}

interface Settled {
  link: IdentityLinkId;
  user: MappedUser;
  had: MappedRoles;
  ref: { organizationId: string; projectId: string; projectGrantId?: string | null };
  wanted: readonly string[];
}

async function settleIn(ctx: ChangeContext, { link, user, had, ref, wanted }: Settled): Promise<string | undefined> {
  const { organizationId, projectId, projectGrantId } = ref;
  const stored = await readUserGrant(ctx.tx, { userId: user.id, projectId, organizationId });
  const now = stored?.roleKeys ?? [];
  const before = had[projectId] ?? [];
  const added = wanted.filter((role) => !now.includes(role));
  const taken = before.filter((role) => now.includes(role) && !wanted.includes(role));
  const next = [...now.filter((role) => !taken.includes(role)), ...added];
  const { [projectId]: _, ...others } = had;
  const mapped = wanted.filter((role) => before.includes(role) || added.includes(role));
  await setMappedRoles(ctx.tx, link, mapped.length === 0 ? others : { ...others, [projectId]: mapped });
  if (added.length + taken.length === 0) return undefined;
  if (!stored) {
    const grant = { projectId, organizationId, projectGrantId: projectGrantId ?? undefined, roleKeys: next };
    await addUserGrantIn(ctx, user, grant);
  } else if (next.length === 0) await removeUserGrantIn(ctx, user, stored);
  else await changeUserGrantIn(ctx, user, stored, { roleKeys: next });
  return [...added.map((role) => `+${role}`), ...taken.map((role) => `−${role}`)].join(" ");
}
