/**
 * The claim with a flat list of role keys, which Kubernetes, Vault, Grafana and Spring authorize by; they cannot read
 * the reserved one, which also names who gave a role. A flat list does not say whose roles they are, so it stands only
 * where there is no doubt: in what is for the project's app alone, or for the project alone (attack: a project's owner
 * calls a role `admin` and shows the token to another project's API).
 */
import type { TokenClient } from "./client";
import { serviceAudience } from "./management";
import type { TargetProject } from "./project-scope";
import { type Reason, reason } from "./reason";

/** Names with a meaning of their own (IANA JSON Web Token Claims and OAuth Token Introspection Response registries). */
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

/** Why a project may not choose that claim; undefined if it may. Compared without case, as some libraries read claims so. */
export function whyNoRolesClaim(name: string): Reason | undefined {
  if (!/^[A-Za-z][A-Za-z0-9_.:/-]{0,99}$/.test(name)) return reason("claim_characters");
  const folded = name.toLowerCase();
  return TAKEN.has(folded) || folded.startsWith("urn:") ? reason("claim_taken") : undefined;
}

/** Which project's roles a flat list has, and what it is called. */
export interface FlatRoles {
  projectId: string;
  claim: string;
}

/** Whether something with that audience is for no other project and no other app than the client's own. */
function isForAlone(client: TokenClient, audience: readonly string[]): boolean {
  return audience.every((one) => one === client.clientId || one === client.projectId || one === serviceAudience);
}

/** For what only the client reads: an id_token, and an introspection answer, which is for its caller. */
export function ownFlatRoles({ projectId, rolesClaim }: TokenClient): FlatRoles | undefined {
  return projectId === undefined || rolesClaim === undefined ? undefined : { projectId, claim: rolesClaim };
}

/** For what any audience of an access token may read: userinfo, and a JWT access token of an app. */
export function sharedFlatRoles(client: TokenClient, audience: readonly string[]): FlatRoles | undefined {
  return isForAlone(client, audience) ? ownFlatRoles(client) : undefined;
}

/**
 * For a JWT access token. A machine has no project; its token has the roles of the one project of its organization that
 * it is for.
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
