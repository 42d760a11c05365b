/**
 * The audience of an access token (rule AUDIENCE-1; RFC 9068 §2.2, RFC 8707 §2): the app and its project, and the
 * projects that audience scopes add. Clients that registered themselves share a project with strangers, so it is not in
 * the audience of theirs. An id_token's audience is the client id alone.
 */
import type { Client } from "./client";
import { scopeAudience } from "./scope";

type Recipient = Pick<Client, "clientId" | "projectId" | "origin">;

/** Returns the audience of an access token, without duplicates, the client's own id first. */
export function audienceOf(client: Recipient, scopes: readonly string[]): string[] {
  return [...new Set([client.clientId, ...ownProject(client), ...scopeAudience(scopes)])];
}

/** Whether a caller may learn about a token with this audience (rule AUDIENCE-2). */
export function isInAudience(audience: readonly string[], client: Recipient): boolean {
  return [client.clientId, ...ownProject(client)].some((id) => audience.includes(id));
}

const ownProject = ({ origin, projectId }: Recipient): string[] => (origin === "administrator" ? [projectId] : []);
