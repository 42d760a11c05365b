/**
 * The resources of a project: URIs that access tokens are for (RFC 8707, rule AUDIENCE-4). A URI belongs to one project
 * of the instance and lies under a domain that its organization has proven (attack: an organization names another's API
 * a resource of its own, and so decides which scopes the tokens for it have).
 */
import { isLoopback } from "../../config/value-parsers";
import type { Context } from "../../context";
import type { TransactionContext } from "../../events/record";
import { type ApiError, alreadyExists, fieldProblem, invalidArgument } from "../../protocol/api-error";
import { type Reason, reason } from "../../protocol/reason";
import { resourceKey, whyNoResource } from "../../protocol/resource";
import { readVerifiedDomains } from "../../storage/organization/organization";
import {
  deleteResources,
  insertResources,
  readProjectResources,
  readTakenResources,
} from "../../storage/project/resources";

interface Owner {
  id: string;
  organizationId: string;
}

/** A change of a project's resources, checked and not yet stored. */
export interface ResourceChange {
  before: string[];
  after: string[];
  store(now: number): Promise<void>;
}

/**
 * Returns the change that replaces the resources of a project; undefined if nothing changes. A kept resource keeps its
 * time of creation, so the tokens for it stay valid.
 */
export async function changeOfResources(
  ctx: TransactionContext,
  { id: projectId, organizationId }: Owner,
  wanted: readonly string[],
): Promise<ResourceChange | undefined | ApiError> {
  const stored = await readProjectResources(ctx.tx, projectId);
  const before = stored.map(({ uri }) => uri);
  if (wanted.length === before.length && wanted.every((uri) => before.includes(uri))) return undefined;
  const setting = { domains: await readVerifiedDomains(ctx.tx, organizationId), ...placeOf(ctx) };
  const keys = wanted.map((uri) => resourceKey(uri) ?? "");
  for (const [index, uri] of wanted.entries()) {
    const isKept = before.includes(uri);
    const why = keys.indexOf(keys[index] ?? "") < index ? reason("resource_taken") : undefined;
    const refused = why ?? (isKept ? undefined : whyNoResource(uri, setting));
    if (refused) return refusal(index, refused);
  }
  const added = wanted.filter((uri) => !before.includes(uri)).map((uri) => ({ uri, key: resourceKey(uri) ?? "" }));
  const gone = stored.filter(({ uri }) => !wanted.includes(uri)).map(({ key }) => key);
  const others = added.filter(({ key }) => !gone.includes(key)).map(({ key }) => key);
  const [taken] = await readTakenResources(ctx.tx, others);
  if (taken !== undefined) return resourceTaken(keys.indexOf(taken));
  return {
    before,
    after: [...wanted],
    async store(now) {
      await deleteResources(ctx.tx, projectId, gone);
      await insertResources(
        ctx.tx,
        added.map((row) => ({ ...row, projectId, createdAt: now })),
      );
    },
  };
}

/** The refusal of a resource that another project has; without an index if it was taken at the same time. */
export function resourceTaken(index?: number): ApiError {
  const field = index === undefined ? "resources" : `resources[${index}]`;
  return alreadyExists("project.resource_taken", "Another project has this resource already. Choose another URI.", {
    field,
  });
}

/** Returns what the rules of resources need to know about the service. */
export function placeOf({ config }: Context): { onLoopback: boolean; ownOrigin: string } {
  return { onLoopback: isLoopback(config.baseUrl), ownOrigin: new URL(config.baseUrl).origin };
}

function refusal(index: number, why: Reason): ApiError {
  const { id, message, ...details } = fieldProblem("project.resource_invalid", `resources[${index}]`, why);
  return invalidArgument(id, message, details);
}
