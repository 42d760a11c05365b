/**
 * Connects safely to a host name that a user gave (attack: server-side request forgery, DNS rebinding). The name is
 * resolved once, all its addresses must be permitted, and the connection goes to the address that was checked.
 */
import type { LookupFunction } from "node:net";
import type { NameResolver } from "./name-resolver";

/**
 * The error for a name without addresses and for one with an internal address. Different errors would let anyone who
 * may enter a host name find out which names the internal DNS has.
 */
const NOT_PUBLIC = "the name has no public address";

/** Returns a `lookup` function for node:http that fails unless all addresses of the name are permitted. */
export function checkedLookup(
  resolve: NameResolver["addresses"],
  isPermitted: (address: string) => boolean,
): LookupFunction {
  return (host, options, callback) => {
    void (async () => {
      try {
        const found = await resolve(host);
        const [first] = found;
        if (!first || !found.every(({ address }) => isPermitted(address))) {
          return callback(new Error(NOT_PUBLIC), "");
        }
        if (options.all) callback(null, found);
        else callback(null, first.address, first.family);
      } catch (cause) {
        callback(new Error(NOT_PUBLIC, { cause }), "");
      }
    })();
  };
}
