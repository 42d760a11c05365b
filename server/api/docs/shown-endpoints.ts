/** The endpoints of the provider with the exchanges that the tests made. */
import type { ShownEndpoint } from "../../../components/docs/model";
import { readOAuthExamples } from "./examples";
import { endpoints } from "./oauth/endpoints";

/** @param authUrl where the endpoints are */
export function shownEndpoints(authUrl: string): ShownEndpoint[] {
  const examples = readOAuthExamples(authUrl);
  return endpoints.map((endpoint) => ({
    ...endpoint,
    examples: examples.filter((example) => example.endpoint === endpoint.id),
  }));
}
