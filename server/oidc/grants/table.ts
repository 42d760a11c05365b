/**
 * All grants of the token endpoint. A new grant is a file in this folder, a row here and a row in protocol/grant-type.
 */
import type { GrantType } from "../../protocol/grant-type";
import { invalidRequest, type OAuthError, unsupportedGrantType } from "../../protocol/oauth-error";
import { checkRepeated, type Parameters } from "../../protocol/parameters";
import { authorizationCodeGrant } from "./authorization-code";
import { clientCredentialsGrant } from "./client-credentials";
import { deviceCodeGrant } from "./device-code";
import type { Grant } from "./grant";
import { jwtBearerGrant } from "./jwt-bearer";
import { refreshTokenGrant } from "./refresh-token";
import { tokenExchangeGrant } from "./token-exchange";

const GRANTS: readonly Grant[] = [
  authorizationCodeGrant,
  refreshTokenGrant,
  clientCredentialsGrant,
  jwtBearerGrant,
  deviceCodeGrant,
  tokenExchangeGrant,
];

/** The grants by `grant_type`. */
export const grants: ReadonlyMap<GrantType, Grant> = new Map(GRANTS.map((grant) => [grant.grantType, grant]));
const byName: ReadonlyMap<string, Grant> = grants;

/** Returns the grant with this name, whether or not it is switched on. */
export function findGrantType(name: string | undefined): Grant | undefined {
  return name === undefined ? undefined : byName.get(name);
}

/** Returns the grant that a form requests (RFC 6749 §3.2, §5.2). */
export function grantOf(form: Parameters): Grant | OAuthError {
  const repeated = checkRepeated(form); // §3.2
  if (repeated) return repeated;
  const name = form.get("grant_type");
  if (name === undefined) return invalidRequest("grant_type is missing");
  return findGrantType(name) ?? unsupportedGrantType("grant_type is not supported");
}
