/**
 * How the service uses the domain name system; tests replace it. Names are resolved by queries of our own and never by
 * the operating system, whose call cannot be ended and holds one of few threads until it is over: two names whose servers
 * are silent kept everybody else's from being resolved, those of the database and the mail server as well (attack: names
 * of one's own that never resolve, asked for again and again).
 */
import { Resolver } from "node:dns/promises";
import { readFile } from "node:fs/promises";
import { isIP } from "node:net";
import { networkInterfaces } from "node:os";

export interface NameResolver {
  /**
   * The TXT records of a name, each joined into one text; empty if the name does not exist. Rejects on other failures.
   */
  texts(name: string): Promise<string[]>;
  /** All addresses of a host name, the one to try first at first; empty if it has none. Rejects on other failures. */
  addresses(host: string): Promise<HostAddress[]>;
}

export interface HostAddress {
  address: string;
  family: number;
}

export interface ResolverOptions {
  /** DNS servers, as in `dns.setServers`; by default those of the system. */
  servers?: readonly string[];
  /** What this machine calls addresses by itself. */
  hostsFile?: string;
}

const NOTHING_THERE = new Set(["ENOTFOUND", "ENODATA"]);
/** Milliseconds for the first answer; then the question is repeated once. */
const TIMEOUT = 3_000;

/** A resolver that keeps nobody waiting for a name that somebody else has asked for. */
export function openResolver({ servers, hostsFile = "/etc/hosts" }: ResolverOptions = {}): NameResolver {
  const open = () => {
    const resolver = new Resolver({ timeout: TIMEOUT, tries: 2 });
    if (servers) resolver.setServers(servers);
    return resolver;
  };
  return {
    texts: async (name) => (await nothingIfMissing(open().resolveTxt(name))).map((pieces) => pieces.join("")),
    async addresses(host) {
      const literal = host.replace(/^\[|\]$/g, "");
      if (isIP(literal)) return [toAddress(literal)];
      const own = await ownNames(hostsFile, host);
      if (own.length > 0) return own;
      const resolver = open();
      const answers = await Promise.allSettled(
        (hasIPv6() ? (["resolve6", "resolve4"] as const) : (["resolve4", "resolve6"] as const)).map((question) =>
          nothingIfMissing(resolver[question](host)),
        ),
      );
      const found = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
      const failed = answers.find((answer) => answer.status === "rejected");
      if (found.length === 0 && failed) throw failed.reason;
      return found.map(toAddress);
    },
  };
}

export const systemResolver = openResolver();

const toAddress = (address: string): HostAddress => ({ address, family: isIP(address) });

async function nothingIfMissing<T>(answer: Promise<T[]>): Promise<T[]> {
  try {
    return await answer;
  } catch (error) {
    if (NOTHING_THERE.has((error as NodeJS.ErrnoException).code ?? "")) return [];
    throw error;
  }
}

/** Addresses that the machine itself has a name for; `localhost` always leads back to it (RFC 6761 §6.3). */
async function ownNames(hostsFile: string, host: string): Promise<HostAddress[]> {
  const name = host.toLowerCase().replace(/\.$/, "");
  const text = await readFile(hostsFile, "utf8").catch(() => "");
  const listed = text.split("\n").flatMap((line) => {
    const [address = "", ...names] = line.replace(/#.*/, "").trim().split(/\s+/);
    return isIP(address) && names.some((one) => one.toLowerCase() === name) ? [toAddress(address)] : [];
  });
  if (listed.length > 0 || !/(?:^|\.)localhost$/.test(name)) return listed;
  return ["127.0.0.1", "::1"].map(toAddress);
}

/** Whether this machine reaches others by IPv6, which is then tried first, as the system does (RFC 6724 §6). */
function hasIPv6(): boolean {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return all.some(({ family, internal, address }) => family === "IPv6" && !internal && /^[23]/.test(address));
}
