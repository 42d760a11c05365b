/**
 * Organizations do not trust each other. Whose an app is, seen from the person who signs in, decides what it learns
 * unasked (rule TRUST-1). An organization can register any app; only the instance can vouch for one to
 * the people of all others, so what it vouches for is never a setting of the app's own organization.
 */
import type { Client } from "./client";

/**
 * What an app is to a person:
 * - `service`: the console, which is the service itself;
 * - `own`: an app of the person's organization;
 * - `trusted`: another organization's, for which the instance vouches;
 * - `foreign`: any other.
 */
export type Relation = "service" | "own" | "trusted" | "foreign";

export function relationTo(
  client: Pick<Client, "standing" | "organizationId">,
  person: { organizationId: string },
): Relation {
  if (client.standing === "service") return "service";
  if (client.organizationId === person.organizationId) return "own";
  return client.standing === "trusted" ? "trusted" : "foreign";
}

/** The name of the organization that an app belongs to, where the person must be told that it is not their own. */
export function foreignOrganization(
  client: Pick<Client, "standing" | "organizationId" | "organizationName">,
  person: { organizationId: string },
): string | undefined {
  const relation = relationTo(client, person);
  return relation === "foreign" || relation === "trusted" ? client.organizationName : undefined;
}

/** Projects that an audience names, by the organization they belong to; undefined if there is no such project. */
export type ProjectOwners = ReadonlyMap<string, string | undefined>;

/**
 * Whether the app would be told about what belongs to others: projects that are neither its own organization's nor, as
 * yet, anybody's. Nobody has to be asked for an app that the instance trusts.
 */
export function reachesOthers(client: Pick<Client, "standing" | "organizationId">, owners: ProjectOwners): boolean {
  if (client.standing !== "registered") return false;
  return [...owners.values()].some((owner) => owner !== client.organizationId);
}
