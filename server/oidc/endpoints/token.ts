/**
 * Token endpoint, RFC 6749 §3.2. One form in; tokens or one OAuthError out. Each grant is a file in ../grants; the order of
 * their checks is in ../grants/grant.
 */
import type { Context } from "../../context";
import { countTokenRequest } from "../../metrics/instruments";
import { isError, type OAuthError } from "../../protocol/oauth-error";
import type { OAuthHttpRequest } from "../client-authentication";
import { findGrantType, grantOf } from "../grants/table";
import type { TokenResponse } from "../token-response";

/** Answers a token request, and counts it for the metrics. */
export async function token(ctx: Context, http: OAuthHttpRequest): Promise<TokenResponse | OAuthError> {
  const grant = grantOf(http.form);
  const answer = isError(grant) ? grant : await grant.answer(ctx, http);
  const counted = findGrantType(http.form.get("grant_type"));
  countTokenRequest(counted?.grantType ?? "other", isError(answer) ? answer.error : "issued");
  return answer;
}
