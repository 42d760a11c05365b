/**
 * The audience of an access token (rule AUDIENCE-1; RFC 9068 §2.2, RFC 8707 §2): the app and its project, and the
 * projects that audience scopes add. An id_token's audience is the client id alone.
 */
import type { Client } from "./client";
import { scopeAudience } from "./scope";

/** Returns the audience of an access token, without duplicates, the client's own id first. */
export function audienceOf(client: Pick<Client, "clientId" | "projectId">, scopes: readonly string[]): string[] {
  return [...new Set([client.clientId, client.projectId, ...scopeAudience(scopes)])];
}

/** Whether a caller may learn about a token with this audience (rule AUDIENCE-2). */
export function isInAudience(audience: readonly string[], client: Pick<Client, "clientId" | "projectId">): boolean {
  return audience.includes(client.clientId) || audience.includes(client.projectId);
}
