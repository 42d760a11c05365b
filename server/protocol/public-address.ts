/**
 * Whether the service may call an address that an administrator entered. Attack: server-side request forgery, with an
 * address that means this machine or its neighbours (IANA special-purpose registries, RFC 6890): as a number, as a name
 * that resolves there, or embedded in IPv6.
 */
import { parseUrl } from "./url";

type Network = readonly [base: string, bits: number];

/** Not part of the public internet. */
const networks4: readonly Network[] = [
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
];

/** Only 2000::/3 is assigned to the public; within it these are special, or embed an IPv4 address. */
const networks6: readonly Network[] = [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
];

/** Whether an IP address, as resolved or typed, belongs to the public internet. Anything that is no address does not. */
export function isPublicAddress(address: string): boolean {
  const four = parse4(address);
  if (four !== undefined)
    return !networks4.some(([base, bits]) => prefix(four, 32, bits) === prefix(parse4(base) ?? 0n, 32, bits));
  const six = parse6(address);
  if (six === undefined) return false;
  if (six >> 32n === 0xffffn) return isPublicAddress(dotted(six & 0xffff_ffffn)); // IPv4-mapped
  if (six >> 125n !== 1n) return false; // 2000::/3
  return !networks6.some(([base, bits]) => prefix(six, 128, bits) === prefix(parse6(base) ?? 0n, 128, bits));
}

function prefix(address: bigint, length: number, bits: number): bigint {
  return address >> BigInt(length - bits);
}

function parse4(text: string): bigint | undefined {
  const parts = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(text)?.slice(1).map(Number);
  if (!parts?.every((part) => part <= 255)) return undefined;
  return parts.reduce((sum, part) => sum * 256n + BigInt(part), 0n);
}

function dotted(address: bigint): string {
  return [24n, 16n, 8n, 0n].map((shift) => (address >> shift) & 255n).join(".");
}

/** RFC 4291 §2.2, without a zone. */
function parse6(text: string): bigint | undefined {
  const tail4 = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(text);
  const four = tail4 ? parse4(tail4[2] ?? "") : undefined;
  if (tail4 && four === undefined) return undefined;
  const plain =
    four === undefined ? text : `${tail4?.[1]}${(four >> 16n).toString(16)}:${(four & 0xffffn).toString(16)}`;
  const halves = plain.split("::");
  if (halves.length > 2) return undefined;
  const groups = halves.map((half) => (half === "" ? [] : half.split(":")));
  const given = groups.flat();
  if (!given.every((group) => /^[0-9a-f]{1,4}$/i.test(group))) return undefined;
  if (halves.length === 1 ? given.length !== 8 : given.length > 7) return undefined;
  const zeros = Array<string>(8 - given.length).fill("0");
  return [...(groups[0] ?? []), ...zeros, ...(groups[1] ?? [])].reduce(
    (sum, group) => (sum << 16n) + BigInt(`0x${group}`),
    0n,
  );
}

const loopbackHosts = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** What decides which addresses the service may call. */
export interface CallRules {
  devMode: boolean;
  /** Whether the service itself is reached only on this machine. */
  onLoopback: boolean;
}

/**
 * Why the service will not call `address` when a session ends, or for an app's keys, or undefined if it may. OpenID
 * Connect Back-Channel Logout 1.0 §2.2: absolute, https, without fragment; Choice: a loopback address in development mode, where the service
 * is on loopback too (attack: anybody who registers an app may set its development mode, and so reach what else runs on
 * the service's machine).
 */
export function checkBackChannelUri(address: string, { devMode, onLoopback }: CallRules): string | undefined {
  const url = parseUrl(address);
  if (!url) return "must be an absolute address";
  const { protocol, username, password } = url;
  const hostname = url.hostname.replace(/\.$/, "");
  if (address.includes("#")) return "must not have a fragment";
  if (username !== "" || password !== "") return "must not have a user name";
  if (onLoopback && loopbackHosts.has(hostname) && (protocol === "http:" || protocol === "https:")) {
    if (devMode) return undefined;
    if (protocol === "http:") return "must use https, unless devMode is on";
  }
  if (protocol !== "https:") return "must use https";
  const literal = hostname.replace(/^\[|\]$/g, "");
  const isAddress = parse4(literal) !== undefined || parse6(literal) !== undefined;
  if (hostname === "localhost" || hostname.endsWith(".localhost") || (isAddress && !isPublicAddress(literal))) {
    return "must not be an address of this machine or of a private network";
  }
  return undefined;
}

/** Whether `address` names this machine, which development mode allows. */
export function isLoopbackUri(address: string): boolean {
  return loopbackHosts.has(parseUrl(address)?.hostname ?? "");
}
