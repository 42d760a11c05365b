/**
 * What a browser needs to use a passkey: options with a challenge. The challenge exists only in the sealed flow or form
 * that the page posts back, and the first answer consumes it, right or wrong (attack: replayed assertions).
 */
import type { PublicKeyCredentialDescriptorJSON, PublicKeyCredentialRequestOptionsJSON } from "@simplewebauthn/server";
import type { Context } from "../../context";
import { digest } from "../../crypto/digest";
import { randomSecret } from "../../crypto/random";
import type { SignInUser } from "../../directory/user/user";
import { FLOW_LIFETIME, type SignInFlow, sealFlow } from "../../oidc/flow";
import { consumeAssertion } from "../../storage/assertions";
import { listPasskeys, type PasskeyRow } from "../../storage/passkeys";

/** Milliseconds the browser waits for the person. */
const TIMEOUT = 5 * 60_000;

/** The relying party is BASE_URL, whatever host a request names. */
export function relyingParty({ config: { baseUrl } }: Context): { id: string; origin: string } {
  const { hostname, origin } = new URL(baseUrl);
  return { id: hostname, origin };
}

/**
 * Identifies the person to authenticators without revealing who it is (WebAuthn Level 3 §14.6.1); 32 bytes, base64url.
 */
export function userHandleOf(userId: string): string {
  return digest(`passkey:${userId}`);
}

export interface PasskeyRequest {
  /** JSON for the browser. */
  options: string;
  /** What the form posts back: a sealed flow, or a sealed enrolment. */
  sealed: string;
  /** What the passkey signs, base64url; new for each request. */
  challenge: string;
}

/**
 * For signing in (WebAuthn Level 3 §5.5). Every sign-in page asks for it, so the library, of which the first use takes
 * 0.2 s, is left out.
 * @param user whose second factor it is; without one any passkey is accepted that has verified its user
 */
export async function requestPasskey(ctx: Context, flow: SignInFlow, user?: SignInUser): Promise<PasskeyRequest> {
  const passkeyChallenge = randomSecret();
  const passkeys = user ? await listPasskeys(ctx.db, user.id) : [];
  const options: PublicKeyCredentialRequestOptionsJSON = {
    rpId: relyingParty(ctx).id,
    challenge: passkeyChallenge,
    timeout: TIMEOUT,
    userVerification: user ? "preferred" : "required",
    allowCredentials: passkeys.map(descriptor),
  };
  const sealed = sealFlow(ctx, { ...flow, passkeyChallenge });
  return { options: JSON.stringify(options), sealed, challenge: passkeyChallenge };
}

/** A passkey being added, sealed into its form. */
export interface PasskeyEnrolment {
  /** Distinguishes it from an app's, which is sealed with the same key. */
  kind: "passkey";
  userId: string;
  challenge: string;
  /** Epoch milliseconds. */
  at: number;
}

/** For adding a passkey; authenticators that already hold one refuse (excludeCredentials). */
export async function requestNewPasskey(ctx: Context, user: SignInUser): Promise<PasskeyRequest> {
  const enrolment: PasskeyEnrolment = { kind: "passkey", userId: user.id, challenge: randomSecret(), at: ctx.clock() };
  const { generateRegistrationOptions } = await import("@simplewebauthn/server");
  const options = await generateRegistrationOptions({
    rpName: user.organizationName,
    rpID: relyingParty(ctx).id,
    userID: Buffer.from(userHandleOf(user.id), "base64url"),
    userName: user.loginName,
    userDisplayName: user.displayName ?? user.loginName,
    challenge: Buffer.from(enrolment.challenge, "base64url"),
    timeout: TIMEOUT,
    attestationType: "none",
    excludeCredentials: (await listPasskeys(ctx.db, user.id)).map(descriptor),
    authenticatorSelection: { residentKey: "preferred", userVerification: "preferred" },
  });
  const sealed = ctx.secrets.seal("second-factor", JSON.stringify(enrolment));
  return { options: JSON.stringify(options), sealed, challenge: enrolment.challenge };
}

type Transports = PublicKeyCredentialDescriptorJSON["transports"];

function descriptor({ id, transports }: PasskeyRow): PublicKeyCredentialDescriptorJSON {
  return { id, type: "public-key", transports: transports.split(" ").filter((word) => word !== "") as Transports };
}

/** Consumes a challenge; false if it has been consumed before. */
export function consumeChallenge(ctx: Context, challenge: string): Promise<boolean> {
  return consumeAssertion(ctx.db, digest(`passkey:${challenge}`), ctx.clock() + FLOW_LIFETIME);
}
