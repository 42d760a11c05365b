/**
 * What an organization decided about apps for its own users (rule TRUST-5): an allowed app is not asked about, a
 * forbidden one gets no tokens. Attack: an allowed host that anyone can claim, so that its users are not asked.
 */
import type { Client } from "./client";
import { matchesHost } from "./client-document";
import { isLoopbackUri } from "./public-address";
import { relationTo } from "./trust";
import { parseUrl } from "./url";

export interface ClientDecision {
  kind: "client" | "host";
  /** A client id; or a host name, `*.` and a domain, or `*` for all apps. */
  value: string;
  decision: "allow" | "forbid";
}

/** The pattern of a host that matches every app, also one without a host. It can only be forbidden. */
export const ANY_HOST = "*";

/**
 * Returns the decision that applies to a client: the one about its id, else the one about its host with the longest
 * match. Hosts are only decided about apps that are foreign to the user. Undefined if nothing was decided.
 * @param redirectUri that of the request; undefined for a device
 */
export function decisionAbout(
  decisions: readonly ClientDecision[],
  client: Pick<Client, "clientId" | "origin" | "standing" | "organizationId">,
  redirectUri: string | undefined,
  person: { organizationId: string },
): ClientDecision["decision"] | undefined {
  const relation = relationTo(client, person);
  if (relation === "service") return undefined;
  const byId = decisions.find(({ kind, value }) => kind === "client" && value === client.clientId);
  if (byId || relation !== "foreign") return byId?.decision;
  const { hostname, isProven } = hostOf(client, redirectUri);
  const matches = ({ value }: ClientDecision) =>
    value === ANY_HOST || (hostname !== undefined && matchesHost(value, hostname));
  const [closest] = decisions
    .filter((one) => one.kind === "host" && matches(one))
    .sort((one, other) => precision(other) - precision(one));
  return closest?.decision === "allow" && !isProven ? undefined : closest?.decision;
}

const precision = ({ value }: ClientDecision) => (value.startsWith("*") ? value.length : Number.POSITIVE_INFINITY);

/** Returns the host of a client: that of its document, or else of its redirect URI, which receives what it asks for. */
function hostOf(
  { origin, clientId }: Pick<Client, "origin" | "clientId">,
  redirectUri = "",
): { hostname?: string; isProven: boolean } {
  if (origin === "document") return { hostname: new URL(clientId).hostname, isProven: true };
  const url = parseUrl(redirectUri);
  const hasHost = url !== undefined && /^https?:$/.test(url.protocol) && !isLoopbackUri(url.href);
  return hasHost ? { hostname: url.hostname, isProven: url.protocol === "https:" } : { isProven: false };
}
