/**
 * Organizations do not trust each other. What an app learns without consent depends on whether it belongs to the user's
 * organization (rule TRUST-1). An organization can register any app; only the instance can declare one trusted for
 * users of all organizations, so that is never a setting of the app's own organization.
 */
import type { Client } from "./client";

/** What decides how far a client is trusted. */
type TrustedClient = Pick<Client, "standing" | "origin" | "organizationId">;

/**
 * The relation of an app to a user:
 * - `service`: the console, which is the service itself;
 * - `own`: an app of the user's organization, registered by its administrators;
 * - `trusted`: an app of another organization that the instance trusts;
 * - `foreign`: any other, also one that registered itself, which no organization answers for.
 */
export type Relation = "service" | "own" | "trusted" | "foreign";

export function relationTo(client: TrustedClient, person: { organizationId: string }): Relation {
  if (client.standing === "service") return "service";
  const isOwn = client.origin === "administrator" && client.organizationId === person.organizationId;
  if (isOwn) return "own";
  return client.standing === "trusted" ? "trusted" : "foreign";
}

/**
 * Returns the name of the app's organization, if the user must be informed that it is not their own; undefined for a
 * client that registered itself.
 */
export function foreignOrganization(
  client: TrustedClient & Pick<Client, "organizationName">,
  person: { organizationId: string },
): string | undefined {
  if (client.origin !== "administrator") return undefined;
  const relation = relationTo(client, person);
  return relation === "foreign" || relation === "trusted" ? client.organizationName : undefined;
}

/** The projects in an audience with the organization that owns each; undefined if there is no such project. */
export type ProjectOwners = ReadonlyMap<string, string | undefined>;

/**
 * Whether the app requests an audience that is not its organization's: projects of other organizations or projects that
 * do not exist yet. An app that the instance trusts needs no consent for it.
 */
export function reachesOthers(client: Pick<Client, "standing" | "organizationId">, owners: ProjectOwners): boolean {
  if (client.standing !== "registered") return false;
  return [...owners.values()].some((owner) => owner !== client.organizationId);
}

/**
 * Returns the host that answers for a client, in its ASCII form: that of the document at its client id. Undefined for
 * any other client, whose names are only claims.
 */
export function provenHost({ origin, clientId }: Pick<Client, "origin" | "clientId">): string | undefined {
  return origin === "document" ? new URL(clientId).host : undefined;
}
