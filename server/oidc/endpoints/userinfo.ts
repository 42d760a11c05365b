/**
 * Userinfo endpoint (OIDC Core §5.3). It takes a bearer token in the header or in the form of a POST (RFC 6750 §2.1,
 * §2.2), but not in the query, where it would end up in logs and histories, or a token with a DPoP proof (RFC 9449 §7).
 */
import type { Context } from "../../context";
import { findClient } from "../../directory/app/app";
import { subjectFor } from "../../keys/subject";
import { isMalformedBearer, presentedToken } from "../../protocol/bearer";
import { insufficientScope, invalidRequest, invalidToken, type OAuthError } from "../../protocol/oauth-error";
import { sharedFlatRoles } from "../../protocol/roles-claim";
import { verifyTokenOfUser } from "../access-tokens";
import { checkPossession, type ProvenRequest } from "../dpop";
import { isForResource } from "../resources";
import { type SignedAnswer, signAnswer } from "../signed-answer";
import { claimsAudienceOf, claimsOf } from "../user-claims";

const USERINFO_JWT = { typ: "JWT", contentType: "application/jwt" };

export interface UserinfoRequest extends ProvenRequest {
  authorization: string | undefined;
  /** The access_token of a form-encoded POST. */
  formToken: string | undefined;
}

/**
 * Returns the claims of the token's user, or the error of RFC 6750 §3.1.
 * @returns `unauthenticated` for a request without a token, or with another authentication scheme
 */
export async function userinfo(
  ctx: Context,
  http: UserinfoRequest,
): Promise<Record<string, unknown> | SignedAnswer | OAuthError | "unauthenticated"> {
  if (http.authorization !== undefined && http.formToken !== undefined) {
    return invalidRequest("send the access token in one place only"); // RFC 6750 §2
  }
  if (isMalformedBearer(http.authorization)) {
    return invalidRequest("the Authorization header must be Bearer and one access token"); // §3.1
  }
  const inForm = http.formToken === undefined ? undefined : ({ scheme: "Bearer", token: http.formToken } as const);
  const presented = presentedToken(http.authorization) ?? inForm;
  if (presented === undefined) return "unauthenticated";
  const verified = await verifyTokenOfUser(ctx, presented.token);
  if (!verified) return invalidToken("the access token is invalid, expired or revoked");
  const { token, user } = verified;
  const refusal = await checkPossession(ctx, http, presented, token);
  if (refusal) return refusal;
  // Rule USERINFO-1. A machine is a user, also when it acts for itself; an app is not.
  if (token.userId === null || !user) return invalidToken("the access token is of a client, not of a user");
  if (await isForResource(ctx, token)) return invalidToken("the access token is for another resource");
  const scope = token.scope.split(" ");
  if (!scope.includes("openid")) return insufficientScope("the access token lacks the scope openid");
  const client = await findClient(ctx, token.clientId);
  const audience = token.audience.split(" ");
  const about = claimsAudienceOf(client, audience, client && sharedFlatRoles(client, audience));
  const { claimsRequest } = token;
  const claims = await claimsOf(ctx, token.userId, user, { scope, claimsRequest, target: "userinfo", about });
  const answer = { sub: await subjectFor(ctx, client, token.userId), ...claims };
  if (!client?.userinfoSigningAlgorithm) return answer;
  const { clientId, userinfoSigningAlgorithm } = client;
  return signAnswer(ctx, userinfoSigningAlgorithm, { ...USERINFO_JWT, claims: { ...answer, aud: clientId } }); // §5.3.2
}
