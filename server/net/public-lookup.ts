/**
 * Connecting to a name that somebody typed. Attack: server-side request forgery, DNS rebinding. The name is resolved
 * once, every address it has must be permitted, and the connection goes to the very address that was checked.
 */
import type { LookupFunction } from "node:net";
import type { NameResolver } from "./name-resolver";

/** For `lookup` of node:http: refuses unless all addresses of the name are permitted. */
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
