/** The registered resources that requests and tokens name (RFC 8707). */
import type { Context } from "../../context";
import { isResourceUri, type Resource, resourceKey, whyNoResource } from "../../protocol/resource";
import { listResources } from "../../storage/project/resources";
import { createCache } from "../cache";
import { placeOf } from "../project/resources";

/** A resource, and whether its project is active and its organization still has the domain. */
type Known = Resource & { isUsable: boolean };

/** Cached, because every token for a resource needs it twice. */
const resources = createCache<Known>("resources", (_, { project }) => [project.id, project.organizationId]);

/** Returns the usable resources with these keys. The result can be up to five seconds old, like that of clients. */
export async function findResources(ctx: Context, keys: readonly string[]): Promise<Resource[]> {
  if (keys.length === 0) return [];
  const found = await resources.getAll(ctx, keys, async (missing) => {
    const place = placeOf(ctx);
    const rows = await listResources(ctx.db, missing);
    const known = rows.map(({ domains, ...resource }) => {
      const { uri, key, project } = resource;
      return [key, { ...resource, isUsable: project.isActive && !whyNoResource(uri, { domains, ...place }) }] as const;
    });
    return new Map(known);
  });
  return found.filter(({ isUsable }) => isUsable);
}

/**
 * Returns the resources in an audience.
 * @param clientId the client of the token, whose id may have the form of a resource
 */
export function findAudienceResources(
  ctx: Context,
  audience: readonly string[],
  { clientId }: { clientId: string },
): Promise<Resource[]> {
  const uris = audience.filter((one) => isResourceUri(one) && one !== clientId);
  return findResources(
    ctx,
    uris.flatMap((uri) => resourceKey(uri) ?? []),
  );
}
