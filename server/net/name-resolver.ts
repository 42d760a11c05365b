/** How the service uses the domain name system; tests replace it. */
import { lookup, Resolver } from "node:dns/promises";

export interface NameResolver {
  /**
   * The TXT records of a name, each joined into one text; empty if the name does not exist. Rejects on other failures.
   */
  texts(name: string): Promise<string[]>;
  /** All addresses of a host name. */
  addresses(host: string): Promise<{ address: string; family: number }[]>;
}

const NOTHING_THERE = new Set(["ENOTFOUND", "ENODATA"]);

export const systemResolver: NameResolver = {
  async texts(name) {
    const resolver = new Resolver({ timeout: 3_000, tries: 2 });
    try {
      return (await resolver.resolveTxt(name)).map((pieces) => pieces.join(""));
    } catch (error) {
      if (NOTHING_THERE.has((error as NodeJS.ErrnoException).code ?? "")) return [];
      throw error;
    }
  },
  addresses: (host) => lookup(host, { all: true }),
};
