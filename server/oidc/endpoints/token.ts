/**
 * Token endpoint (RFC 6749 §3.2). It takes a form and returns tokens or an OAuthError. Each grant is a file in
 * ../grants; ../grants/grant defines the order of their checks.
 */
import type { Context } from "../../context";
import { countTokenRequest } from "../../metrics/instruments";
import { isError, type OAuthError } from "../../protocol/oauth-error";
import type { OAuthHttpRequest } from "../client-authentication";
import { findGrantType, grantOf, grants } from "../grants/table";
import type { TokenResponse } from "../token-response";

/** The errors of RFC 6749 §5.2 that clients meet in practice. Others have no series until they first occur. */
const USUAL_RESULTS = [
  "issued",
  "invalid_request",
  "invalid_client",
  "invalid_grant",
  "unauthorized_client",
  "invalid_scope",
];
for (const grantType of grants.keys()) {
  countTokenRequest.beginAtZero(...USUAL_RESULTS.map((result) => [grantType, result] as const));
}
countTokenRequest.beginAtZero(["other", "unsupported_grant_type"], ["other", "invalid_request"]);

/** Handles a token request and counts it for the metrics. */
export async function token(ctx: Context, http: OAuthHttpRequest): Promise<TokenResponse | OAuthError> {
  const grant = grantOf(http.form);
  const answer = isError(grant) ? grant : await grant.answer(ctx, http);
  const counted = findGrantType(http.form.get("grant_type"));
  countTokenRequest(counted?.grantType ?? "other", isError(answer) ? answer.error : "issued");
  return answer;
}
