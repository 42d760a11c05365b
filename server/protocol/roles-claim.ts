/**
 * The claim with a flat list of role keys, which Kubernetes, Vault, Grafana and Spring use for authorization. They
 * cannot read the reserved claim, which also names who granted a role. A flat list does not name its project, so it is
 * included only where the project is certain: in tokens and responses for the project's app or the project alone
 * (attack: a project's owner names a role `admin` and presents the token to another project's API).
 */
import type { TokenClient } from "./client";
import { serviceAudience } from "./management";
import type { TargetProject } from "./project-scope";
import { type Reason, reason } from "./reason";

/** Registered names (IANA JSON Web Token Claims and OAuth Token Introspection Response registries). */
const TAKEN: ReadonlySet<string> = new Set(
  `iss sub aud exp nbf iat jti name given_name family_name middle_name nickname preferred_username profile picture website
  email email_verified gender birthdate zoneinfo locale phone_number phone_number_verified address updated_at azp nonce
  auth_time at_hash c_hash s_hash acr amr sub_jwk cnf sip_from_tag sip_date sip_callid sip_cseq_num sip_via_branch orig
  dest mky events toe txn rph sid vot vtm attest origid act scope scopes client_id may_act jcard at_use_nbr div opt vc vp
  sph ace_profile cnonce exi token_introspection verified_claims place_of_birth nationalities birth_family_name
  birth_given_name birth_middle_name salutation title msisdn also_known_as authorization_details active username
  token_type access_token refresh_token id_token expires_in issued_token_type htm htu ath error error_description state
  code kid alg typ jwk jku x5c logout_token session_state`.split(/\s+/),
);

/** Returns why a project may not use a claim name; undefined if it may. Case-insensitive, like some libraries. */
export function whyNoRolesClaim(name: string): Reason | undefined {
  if (!/^[A-Za-z][A-Za-z0-9_.:/-]{0,99}$/.test(name)) return reason("claim_characters");
  const folded = name.toLowerCase();
  return TAKEN.has(folded) || folded.startsWith("urn:") ? reason("claim_taken") : undefined;
}

/** The project whose roles a flat list contains, and the name of its claim. */
export interface FlatRoles {
  projectId: string;
  claim: string;
}

/** Whether the audience contains no other project and no other app than the client's own. */
function isForAlone(client: TokenClient, audience: readonly string[]): boolean {
  return audience.every((one) => one === client.clientId || one === client.projectId || one === serviceAudience);
}

/** Returns the flat list for what only the client reads: an id_token, and an introspection response. */
export function ownFlatRoles({ projectId, rolesClaim }: TokenClient): FlatRoles | undefined {
  return projectId === undefined || rolesClaim === undefined ? undefined : { projectId, claim: rolesClaim };
}

/**
 * Returns the flat list for what the whole audience of an access token may read: userinfo, and a JWT access token of an
 * app.
 */
export function sharedFlatRoles(client: TokenClient, audience: readonly string[]): FlatRoles | undefined {
  return isForAlone(client, audience) ? ownFlatRoles(client) : undefined;
}

/**
 * Returns the flat list for a JWT access token. A machine has no project; its token contains the roles of the project
 * of its organization that it is for, if there is only one.
 * @param client the recipient of the token
 * @param audience the audience of the token
 * @param targets the projects in the audience
 */
export function accessTokenFlatRoles(
  client: TokenClient,
  audience: readonly string[],
  targets: readonly TargetProject[],
): FlatRoles | undefined {
  if (client.projectId !== undefined) return sharedFlatRoles(client, audience);
  const [only, another] = targets;
  if (!only || another || only.organizationId !== client.organizationId || only.rolesClaim === undefined)
    return undefined;
  const projectId = only.id;
  return isForAlone({ ...client, projectId }, audience) ? { projectId, claim: only.rolesClaim } : undefined;
}
