/** Projects: they own apps and the roles an app's users may have. */
import type { Context } from "../../context";
import { difference } from "../../events/difference";
import { type Origin, recordIn } from "../../events/record";
import { type ApiError, invalidArgument, isApiError } from "../../protocol/api-error";
import type { ProjectScope } from "../../protocol/project-scope";
import { sentenceOf } from "../../protocol/reason";
import { insertProject, type ProjectRow, updateProjectRow } from "../../storage/apps";
import type { Transaction } from "../../storage/database";
import { claimClientIdentifier, claimId } from "../identifiers";
import { whyReserved } from "../reserved-names";

/** A project's rules about its users, by their names in the management API. */
export interface ProjectSettings {
  /** Role claims even where no scope asks for them. */
  projectRoleAssertion?: boolean;
  /** Only users with a grant of this project may sign in to its apps. */
  projectRoleCheck?: boolean;
  /** Only users of the organization that owns the project may sign in to its apps. */
  hasProjectCheck?: boolean;
  /** Scopes of its own, all of them. */
  scopes?: readonly ProjectScope[];
  /** The claim with a flat list of role keys; empty or null: none. */
  rolesClaim?: string | null;
}

export async function addProject(
  ctx: Context,
  tx: Transaction,
  project: ProjectSettings & { id?: string; organizationId: string; name: string },
  origin: Origin,
): Promise<string | ApiError> {
  const { organizationId, name } = project;
  const reserved = refuseReserved(name);
  if (reserved) return reserved;
  const id = await claimId(ctx, tx, { kind: "project", id: project.id, organizationId, origin });
  if (isApiError(id)) return id;
  const refusal = await claimClientIdentifier(ctx, tx, { kind: "project", name: id, organizationId, origin });
  if (refusal) return refusal;
  const { projectRoleAssertion = false, projectRoleCheck = false, hasProjectCheck = false } = project;
  const settings = {
    projectRoleAssertion,
    projectRoleCheck,
    hasProjectCheck,
    scopes: storedScopes(project.scopes ?? []),
    rolesClaim: project.rolesClaim || null,
  };
  await recordIn(ctx, tx, {
    type: "project.added",
    aggregateId: id,
    resourceOwner: organizationId,
    origin,
    async state(_, now) {
      await insertProject(tx, { id, organizationId, name, ...settings, state: "active", createdAt: new Date(now) });
      return { payload: { name, ...settings } };
    },
  });
  return id;
}

/** A project with a name of the service itself would be mistaken for it. */
function refuseReserved(name: string): ApiError | undefined {
  const reason = whyReserved(name);
  return reason === undefined
    ? undefined
    : invalidArgument("project.reserved_name", `The name ${sentenceOf(reason)}.`, { field: "name" });
}

/** Plain JSON, as it is stored. */
const storedScopes = (scopes: readonly ProjectScope[]) =>
  scopes.map(({ name, descriptions }) => ({ name, descriptions: { ...descriptions } }));

/** What is wanted in the form in which it is stored: no scopes are no list, where there never was one. */
function normalized<Wanted extends ProjectSettings>(stored: ProjectRow, wanted: Wanted): Wanted {
  const keepsNone = stored.scopes === null && wanted.scopes?.length === 0;
  return {
    ...wanted,
    ...(keepsNone && { scopes: undefined }),
    ...(wanted.rolesClaim === "" && { rolesClaim: null }),
  };
}

/**
 * Updates what differs; a setting left out stays.
 * @returns whether anything changed; a refusal if there is a new name, and it is reserved
 */
export async function changeProject(
  ctx: Context,
  tx: Transaction,
  stored: ProjectRow,
  wanted: ProjectSettings & { name?: string },
  origin: Origin,
): Promise<boolean | ApiError> {
  const changes = difference<ProjectSettings & { name?: string }>(stored, normalized(stored, wanted));
  if (!changes) return false;
  const refusal = changes.data.name === undefined ? undefined : refuseReserved(changes.data.name);
  if (refusal) return refusal;
  await recordIn(ctx, tx, {
    type: "project.changed",
    aggregateId: stored.id,
    resourceOwner: stored.organizationId,
    origin,
    async state() {
      const { scopes, ...data } = changes.data;
      await updateProjectRow(tx, stored.id, { ...data, ...(scopes && { scopes: storedScopes(scopes) }) });
      return { payload: changes.payload };
    },
  });
  return true;
}
