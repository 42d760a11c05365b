/** The endpoints of the provider with the recorded exchanges of the tests. A test compares them with discovery. */
import type { ShownEndpoint } from "../../../components/docs/model";
import { readOAuthExamples } from "./examples";
import { browserEndpoints } from "./oauth/browser";
import type { Endpoint } from "./oauth/endpoint";
import { tokenEndpoint } from "./oauth/token";
import { tokenUses } from "./oauth/token-uses";

/** @param authUrl where the endpoints are */
export function shownEndpoints(authUrl: string): ShownEndpoint[] {
  const examples = readOAuthExamples(authUrl);
  return endpoints.map((endpoint) => ({
    ...endpoint,
    examples: examples.filter((example) => example.endpoint === endpoint.id),
  }));
}

export const endpoints: readonly Endpoint[] = [...browserEndpoints, tokenEndpoint, ...tokenUses];
