/** Projects, which own apps and the roles that the apps' users may have. */

import { difference } from "../../events/difference";
import { type ChangeContext, noteChange, recordIn } from "../../events/record";
import { type ApiError, invalidArgument, isApiError } from "../../protocol/api-error";
import { PRIVATE_LABELING_SETTINGS, type PrivateLabelingSetting } from "../../protocol/private-labeling";
import type { ProjectScope } from "../../protocol/project-scope";
import { sentenceOf } from "../../protocol/reason";
import { insertProject, type ProjectRow, updateProjectRow } from "../../storage/project/project";
import { claimClientIdentifier, claimId } from "../identifiers";
import { whyReserved } from "../reserved-names";
import { changeOfResources } from "./resources";

/** A project's rules about its users, by their names in the management API. */
export interface ProjectSettings {
  /** Whether tokens have role claims even if no scope requests them. */
  projectRoleAssertion?: boolean;
  /** Only users with a grant of this project may sign in to its apps. */
  projectRoleCheck?: boolean;
  /** Only users of the project's organization, and of those that it is granted to, may sign in to its apps. */
  hasProjectCheck?: boolean;
  /** Whose look the sign-in pages of its apps have. */
  privateLabelingSetting?: PrivateLabelingSetting | null;
  /** All of the project's own scopes. */
  scopes?: readonly ProjectScope[];
  /** The claim with a flat list of role keys; empty or null for none. */
  rolesClaim?: string | null;
  /** The URIs that tokens may be for, all of them. */
  resources?: readonly string[];
}

export async function addProject(
  ctx: ChangeContext,
  project: ProjectSettings & { id?: string; organizationId: string; name: string },
): Promise<string | ApiError> {
  const { organizationId, name } = project;
  const reserved = refuseReserved(name);
  if (reserved) return reserved;
  const id = await claimId(ctx, { kind: "project", id: project.id, organizationId });
  if (isApiError(id)) return id;
  const refusal = await claimClientIdentifier(ctx, { kind: "project", name: id, organizationId });
  if (refusal) return refusal;
  const { projectRoleAssertion = false, projectRoleCheck = false, hasProjectCheck = false } = project;
  const settings = {
    projectRoleAssertion,
    projectRoleCheck,
    hasProjectCheck,
    privateLabelingSetting: storedLabeling(project.privateLabelingSetting),
    scopes: storedScopes(project.scopes ?? []),
    rolesClaim: project.rolesClaim || null,
  };
  const resources = await changeOfResources(ctx, { id, organizationId }, project.resources ?? []);
  if (isApiError(resources)) return resources;
  await recordIn(ctx, {
    type: "project.added",
    object: { id, organizationId },
    async state(_, now) {
      await insertProject(ctx.tx, { id, organizationId, name, ...settings, state: "active", createdAt: now });
      await resources?.store(now);
      return { payload: { name, ...settings, ...(resources && { resources: resources.after }) } };
    },
  });
  return id;
}

/** Null: unspecified. */
const storedLabeling = (setting: ProjectSettings["privateLabelingSetting"]) =>
  setting === PRIVATE_LABELING_SETTINGS[0] ? null : (setting ?? null);

/** Rejects a name of the service itself, because the project would be mistaken for it. */
function refuseReserved(name: string): ApiError | undefined {
  const reason = whyReserved(name);
  return reason === undefined
    ? undefined
    : invalidArgument("project.reserved_name", `The name ${sentenceOf(reason)}.`, { field: "name" });
}

/** Returns the scopes as plain JSON, as they are stored. */
const storedScopes = (scopes: readonly ProjectScope[]) =>
  scopes.map(({ name, descriptions }) => ({ name, descriptions: { ...descriptions } }));

/** Returns the wanted settings in the stored form: an empty list of scopes is not stored if there never was one. */
function normalized<Wanted extends ProjectSettings>(stored: ProjectRow, wanted: Wanted): Wanted {
  const keepsNone = stored.scopes === null && wanted.scopes?.length === 0;
  return {
    ...wanted,
    ...(keepsNone && { scopes: undefined }),
    ...(wanted.rolesClaim === "" && { rolesClaim: null }),
    ...(wanted.privateLabelingSetting && { privateLabelingSetting: storedLabeling(wanted.privateLabelingSetting) }),
  };
}

/**
 * Updates the settings that differ; omitted ones are kept.
 * @returns whether anything changed; an error if the new name is reserved
 */
export async function changeProject(
  ctx: ChangeContext,
  stored: ProjectRow,
  wanted: ProjectSettings & { name?: string },
): Promise<boolean | ApiError> {
  noteChange(ctx.tx, "project.changed", stored.id);
  const { resources: uris, ...settings } = wanted;
  const changes = difference<ProjectSettings & { name?: string }>(stored, normalized(stored, settings));
  const resources = uris && (await changeOfResources(ctx, stored, uris));
  if (isApiError(resources)) return resources;
  if (!changes && !resources) return false;
  const refusal = changes?.data.name === undefined ? undefined : refuseReserved(changes.data.name);
  if (refusal) return refusal;
  await recordIn(ctx, {
    type: "project.changed",
    object: stored,
    async state(_, now) {
      const { scopes, resources: _none, ...data } = changes?.data ?? {};
      const columns = { ...data, ...(scopes && { scopes: storedScopes(scopes) }) };
      if (Object.keys(columns).length > 0) await updateProjectRow(ctx.tx, stored.id, columns);
      await resources?.store(now);
      const change = resources && { resources: { from: resources.before, to: resources.after } };
      return { payload: { ...changes?.payload, ...change } };
    },
  });
  return true;
}
