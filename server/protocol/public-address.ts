/**
 * Whether the service may call a URL that an administrator entered. Attack: server-side request forgery, with an
 * address of this machine or its neighbours (IANA special-purpose registries, RFC 6890): as a number, as a name that
 * resolves to it, or embedded in IPv6.
 */
import { BlockList, isIP, isIPv4, isIPv6 } from "node:net";
import { type Reason, reason } from "./reason";
import { parseUrl } from "./url";

/** Networks that are not part of the public internet. */
const special = new BlockList();
for (const [base, bits] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
] as const) {
  special.addSubnet(base, bits, "ipv4");
}
/** Special networks within the public range, and those that embed an IPv4 address. */
for (const [base, bits] of [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
] as const) {
  special.addSubnet(base, bits, "ipv6");
}

/** The public range of IPv6, and IPv4-mapped addresses, which Node compares with the IPv4 networks. */
const assigned6 = new BlockList();
assigned6.addSubnet("2000::", 3, "ipv6");
assigned6.addSubnet("::ffff:0:0", 96, "ipv6");

/**
 * Whether an IP address, as resolved or typed, belongs to the public internet. False for a text that is not an address.
 */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !special.check(address, "ipv4");
  if (!isIPv6(address) || address.includes("%")) return false; // a zone is local to this machine
  return assigned6.check(address, "ipv6") && !special.check(address, "ipv6");
}

const loopbackHosts = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** The settings that decide which URLs the service may call. */
export interface CallRules {
  devMode: boolean;
  /** Whether the service itself is reached only on this machine. */
  onLoopback: boolean;
}

/**
 * Returns why the service will not call `address` for a back-channel logout or an app's keys, or undefined if it may.
 * OpenID Connect Back-Channel Logout 1.0 §2.2: absolute, https, without fragment. Choice: a loopback address is
 * permitted in development mode if the service is on loopback too (attack: anyone who registers an app may set its
 * development mode, and so reach other programs on the service's machine).
 */
export function checkBackChannelUri(address: string, { devMode, onLoopback }: CallRules): Reason | undefined {
  const url = parseUrl(address);
  if (!url) return reason("absolute");
  const { protocol, username, password } = url;
  const hostname = url.hostname.replace(/\.$/, "");
  if (address.includes("#")) return reason("fragment");
  if (username !== "" || password !== "") return reason("no_user_name");
  if (onLoopback && loopbackHosts.has(hostname) && (protocol === "http:" || protocol === "https:")) {
    if (devMode) return undefined;
    if (protocol === "http:") return reason("https_or_dev");
  }
  if (protocol !== "https:") return reason("https");
  const literal = hostname.replace(/^\[|\]$/g, "");
  if (
    hostname === "localhost" ||
    hostname.endsWith(".localhost") ||
    (isIP(literal) !== 0 && !isPublicAddress(literal))
  ) {
    return reason("private_network");
  }
  return undefined;
}

/**
 * Whether a service on loopback calls addresses of the client there: in development mode, and those of clients that
 * registered themselves, which use https everywhere.
 */
export const mayUseLoopback = (client: { devMode: boolean; origin?: string }): boolean =>
  client.devMode || (client.origin ?? "administrator") !== "administrator";

/**
 * Returns the part of a `request_uri` that is fetched. Its fragment names the content (OIDC Core §6.2): another
 * fragment is another address, so that a client can replace what is remembered.
 */
export const fetchedAddress = (requestUri: string): string => requestUri.replace(/#.*$/s, "");

/** Whether `address` is on this machine, which development mode permits. */
export function isLoopbackUri(address: string): boolean {
  return loopbackHosts.has(parseUrl(address)?.hostname ?? "");
}
