/** Every endpoint of the provider. A test compares them with discovery. */
import { browserEndpoints } from "./browser";
import type { Endpoint } from "./endpoint";
import { tokenEndpoint } from "./token";
import { tokenUses } from "./token-uses";

export const endpoints: readonly Endpoint[] = [...browserEndpoints, tokenEndpoint, ...tokenUses];
