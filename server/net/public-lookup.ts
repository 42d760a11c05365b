/**
 * Connects safely to a host name that a user gave (attack: server-side request forgery, DNS rebinding): the name is
 * resolved once, all its addresses must be permitted, and the connection goes to the very address that was checked.
 */
import type { LookupFunction } from "node:net";
import type { NameResolver } from "./name-resolver";

/** A `lookup` function for node:http that fails unless all addresses of the name are permitted. */
export function checkedLookup(
  resolve: NameResolver["addresses"],
  isPermitted: (address: string) => boolean,
): LookupFunction {
  return (host, options, callback) => {
    void (async () => {
      try {
        const found = await resolve(host);
        const [first] = found;
        if (!first) return callback(new Error("the name has no address"), "");
        if (!found.every(({ address }) => isPermitted(address))) {
          return callback(new Error("the name resolves to an address that is not public"), "");
        }
        if (options.all) callback(null, found);
        else callback(null, first.address, first.family);
      } catch (error) {
        callback(error as NodeJS.ErrnoException, "");
      }
    })();
  };
}
