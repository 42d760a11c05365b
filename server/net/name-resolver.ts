/**
 * DNS access of the service; tests replace it. Names are resolved with our own queries instead of the operating
 * system's call, which cannot be cancelled and holds one of few threads until it ends. Two names with silent servers
 * would block all other lookups, including those of the database and the mail server (attack: repeated lookups of names
 * that never resolve).
 */
import { Resolver } from "node:dns/promises";
import { readFile } from "node:fs/promises";
import { isIP } from "node:net";
import { networkInterfaces } from "node:os";

export interface NameResolver {
  /**
   * Returns the TXT records of a name, each joined into one text. Empty if the name does not exist. Rejects on other
   * failures.
   */
  texts(name: string): Promise<string[]>;
  /** Returns all addresses of a host name, preferred ones first. Empty if it has none. Rejects on other failures. */
  addresses(host: string): Promise<HostAddress[]>;
}

export interface HostAddress {
  address: string;
  family: number;
}

export interface ResolverOptions {
  /** DNS servers, as in `dns.setServers`; by default those of the system. */
  servers?: readonly string[];
  /** The path of the file with the names that this machine knows itself. */
  hostsFile?: string;
}

const NOTHING_THERE = new Set(["ENOTFOUND", "ENODATA"]);
/** Milliseconds for the first response; then the query is repeated once. */
const TIMEOUT = 3_000;

/** Returns a resolver in which no lookup waits for another. */
export function openResolver({ servers, hostsFile = "/etc/hosts" }: ResolverOptions = {}): NameResolver {
  const open = () => {
    const resolver = new Resolver({ timeout: TIMEOUT, tries: 2 });
    if (servers) resolver.setServers(servers);
    return resolver;
  };
  const hosts = readAtTimes(hostsFile);
  return {
    texts: async (name) => (await nothingIfMissing(open().resolveTxt(name))).map((pieces) => pieces.join("")),
    async addresses(host) {
      const literal = host.replace(/^\[|\]$/g, "");
      if (isIP(literal)) return [toAddress(literal)];
      const own = ownNames(await hosts(), host);
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

/** How long the text of the hosts file is used, in milliseconds. */
const HOSTS_FRESH = 5_000;

/** Returns a function that reads a file, or returns its text of seconds ago; empty without the file. */
function readAtTimes(file: string): () => Promise<string> {
  let text: Promise<string>;
  let until = Number.NEGATIVE_INFINITY;
  return () => {
    const now = performance.now();
    if (now >= until) {
      text = readFile(file, "utf8").catch(() => "");
      until = now + HOSTS_FRESH;
    }
    return text;
  };
}

/** Returns the addresses in the text of a hosts file; `localhost` always means this machine (RFC 6761 §6.3). */
function ownNames(text: string, host: string): HostAddress[] {
  const name = host.toLowerCase().replace(/\.$/, "");
  const listed = text.split("\n").flatMap((line) => {
    const [address = "", ...names] = line.replace(/#.*/, "").trim().split(/\s+/);
    return isIP(address) && names.some((one) => one.toLowerCase() === name) ? [toAddress(address)] : [];
  });
  if (listed.length > 0 || !/(?:^|\.)localhost$/.test(name)) return listed;
  return ["127.0.0.1", "::1"].map(toAddress);
}

/** Whether this machine has a global IPv6 address. If so, IPv6 is tried first, as the system does (RFC 6724 §6). */
function hasIPv6(): boolean {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return all.some(({ family, internal, address }) => family === "IPv6" && !internal && /^[23]/.test(address));
}
