/**
 * Serves the addresses of the passkey pages for password managers (W3C "A Well-Known URL for Relying Party Passkey
 * Endpoints").
 */
import type { Context } from "../../context";
import type { Http } from "../../http/env";

export function passkeyEndpointsRoute({ config: { baseUrl } }: Context, http: Http): Response {
  const endpoints = { enroll: `${baseUrl}/account/passkey`, manage: `${baseUrl}/account/security` };
  return http.json(endpoints, 200, { "cache-control": "public, max-age=3600" });
}
