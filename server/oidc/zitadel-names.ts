/**
 * The names that ZITADEL's clients know: scopes and token types `urn:zitadel:…`. The rules of the protocol know them
 * like our own; here they become unknown names while the instance is not compatible with ZITADEL.
 */
import type { Context } from "../context";
import { isZitadelCompatible } from "../directory/zitadel-compatibility";
import type { Parameters } from "../protocol/parameters";

const NAMES = /(^| )urn:zitadel:/g;
const PARAMETERS = ["scope", "subject_token_type", "actor_token_type"] as const;

/** Returns the parameters of a request, in which names of ZITADEL mean something only while the switch is on. */
export async function knownNames(ctx: Context, parameters: Parameters): Promise<Parameters> {
  const names = PARAMETERS.filter((name) => parameters.get(name)?.includes("urn:zitadel:"));
  if (names.length === 0 || (await isZitadelCompatible(ctx))) return parameters;
  return {
    ...parameters,
    get(name) {
      const value = parameters.get(name);
      // Names are compared with their case, so that no rule knows this one.
      return (names as readonly string[]).includes(name) ? value?.replace(NAMES, "$1urn:ZITADEL:") : value;
    },
  };
}
