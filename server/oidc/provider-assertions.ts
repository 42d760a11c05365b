/**
 * Identity assertions of other authorization servers (ID-JAG, draft-ietf-oauth-identity-assertion-authz-grant): an
 * identity provider that an organization trusts vouches for one of its users at one of its apps. The provider is one of
 * the app's organization or of the service, and signs in the user by the rules of the sign-in page, so that no
 * organization's provider ever speaks for users of another (rules ASSERT-1 and ASSERT-2).
 */
import { decodeJwt, decodeProtectedHeader, type JWTPayload } from "jose";
import type { Context } from "../context";
import { type IdentityProvider, listUsableProviders } from "../directory/identity-provider/identity-provider";
import { mayBeSignedInBy } from "../directory/identity-provider/signs-in";
import { comparableLoginName, withParents } from "../directory/names";
import { findUser, findUserForSignIn, type SignInUser } from "../directory/user/user";
import type { Client } from "../protocol/client";
import { findIdentityLink } from "../storage/identity-provider/links";
import { findVerifiedOwner } from "../storage/organization/organization";
import { type BadAssertion, isBad, usedAssertion, type VerifiedAssertion, verifyAssertion } from "./assertions";
import { endpointsOf } from "./provider-endpoints";
import { keysOf } from "./published-keys";

/** The `typ` of an identity assertion. */
export const IDENTITY_ASSERTION = "oauth-id-jag+jwt";

export function isIdentityAssertion(jwt: string): boolean {
  try {
    return decodeProtectedHeader(jwt).typ === IDENTITY_ASSERTION;
  } catch {
    return false; // not a JWT
  }
}

export interface AssertedIdentity {
  provider: IdentityProvider;
  user: SignInUser;
  claims: JWTPayload;
  /** The assertion to consume. */
  assertion: { id: string; expiresAt: number };
}

/** Returns who the assertion is about, or why it is not accepted. Its single use is checked by the caller. */
export async function readIdentityAssertion(
  ctx: Context,
  client: Client,
  jwt: string,
): Promise<AssertedIdentity | { problem: string; cause?: unknown }> {
  const issuer = issuerIn(jwt);
  const providers = await listUsableProviders(ctx, client.organizationId);
  const trusted = providers.filter(
    ({ isActive, kind, options, settings }) =>
      isActive && kind === "oidc" && options.isIdentityAssertionAccepted === true && settings.issuer === issuer,
  );
  // Several providers may have one issuer: the one that knows the user counts, the organization's own first.
  const [first] = trusted;
  if (!first || issuer === undefined)
    return { problem: "its issuer is not one that the organization of the app trusts" };
  const verified = await verify(ctx, first, issuer, jwt);
  if (isBad(verified)) return verified;
  const { claims, jti = "", refusedFrom } = verified;
  if (claims.client_id !== client.clientId) return { problem: "its client_id is not that of this client" };
  for (const provider of trusted) {
    const user = await findAsserted(ctx, provider, claims);
    if (!user?.mayAuthenticate || !(await mayBeSignedInBy(ctx, provider, user))) continue;
    const assertion = { id: usedAssertion("provider", issuer, jti), expiresAt: refusedFrom };
    return { provider, user, claims, assertion };
  }
  return { problem: "it names no user whom its provider may sign in" };
}

function issuerIn(jwt: string): string | undefined {
  try {
    const { iss } = decodeJwt(jwt);
    return typeof iss === "string" ? iss : undefined;
  } catch {
    return undefined;
  }
}

async function verify(
  ctx: Context,
  provider: IdentityProvider,
  issuer: string,
  jwt: string,
): Promise<VerifiedAssertion | BadAssertion> {
  const as = await endpointsOf(ctx, provider).then(
    (endpoints) => endpoints.as,
    () => undefined,
  );
  const jwksUri = as?.issuer === issuer ? as.jwks_uri : undefined;
  if (jwksUri === undefined) return { problem: "the discovery document of its issuer cannot be read" };
  return verifyAssertion(ctx, jwt, {
    issuer,
    type: IDENTITY_ASSERTION,
    keys: keysOf(ctx, { jwks: null, jwksUri, devMode: true }),
    endpoint: "",
    legacyAssertionAudience: false,
    needsId: true,
  });
}

/** Returns the user who is linked to the subject, or whose verified address in a proven domain it has. */
async function findAsserted(
  ctx: Context,
  provider: IdentityProvider,
  { sub = "", email, email_verified }: JWTPayload,
): Promise<SignInUser | undefined> {
  const link = await findIdentityLink(ctx.db, provider.id, sub);
  if (link) return findUser(ctx, link.userId);
  const isMatched = provider.options.autoLinking === "AUTO_LINKING_OPTION_EMAIL" && email_verified === true;
  if (!isMatched || typeof email !== "string") return undefined;
  const user = await findUserForSignIn(ctx, email);
  const key = comparableLoginName(email);
  if (!user?.isEmailVerified || user.email === null || comparableLoginName(user.email) !== key) return undefined;
  const owner = await findVerifiedOwner(ctx.db, withParents(key.slice(key.lastIndexOf("@") + 1)));
  return owner === user.organizationId ? user : undefined;
}
