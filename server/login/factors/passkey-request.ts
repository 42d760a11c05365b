/**
 * Requests for the browser to use a passkey: options with a challenge. The challenge exists only in the sealed flow or
 * form that the page posts back, and the first response consumes it, valid or not (attack: replayed assertions).
 */
import type { PublicKeyCredentialDescriptorJSON, PublicKeyCredentialRequestOptionsJSON } from "@simplewebauthn/server";
import type { Context } from "../../context";
import { digest } from "../../crypto/digest";
import { randomSecret } from "../../crypto/random";
import type { SignInUser } from "../../directory/user/user";
import { FLOW_LIFETIME, type SignInFlow, sealFlow } from "../../oidc/flow";
import { listPasskeys, type PasskeyRow } from "../../storage/factor/passkeys";
import { consumeAssertion } from "../../storage/grant/assertions";

/** How long the browser waits for the user, in milliseconds. */
const TIMEOUT = 5 * 60_000;

/** Returns the relying party: BASE_URL, independent of the request's host. */
export function relyingParty({ config: { baseUrl } }: Context): { id: string; origin: string } {
  const { hostname, origin } = new URL(baseUrl);
  return { id: hostname, origin };
}

/**
 * Returns the user handle, which identifies the user to authenticators without revealing who it is (WebAuthn Level 3
 * §14.6.1); 32 bytes in base64url.
 */
export function userHandleOf(userId: string): string {
  return digest(`passkey:${userId}`);
}

/**
 * Returns the user handles of a user's passkeys: ours, and that of imported ones, since Keycloak and ZITADEL use the id
 * itself.
 */
export const userHandlesOf = (userId: string): readonly string[] => [
  userHandleOf(userId),
  Buffer.from(userId).toString("base64url"),
];

export interface PasskeyRequest {
  /** The JSON for the browser. */
  options: string;
  /** The value that the form posts back: a sealed flow, or a sealed enrolment. */
  sealed: string;
  /** The value that the passkey signs, in base64url; new for each request. */
  challenge: string;
}

export type UserVerification = NonNullable<PublicKeyCredentialRequestOptionsJSON["userVerification"]>;

/**
 * Returns the request for signing in (WebAuthn Level 3 §5.5). Every sign-in page needs it, so it does not use the
 * library, which takes 0.2 s on first use.
 * @param user the user whose second factor is requested; without it, any passkey that has verified its user is accepted
 * @param verification whether a second factor verifies its user as well
 */
export async function requestPasskey(
  ctx: Context,
  flow: SignInFlow,
  user?: SignInUser,
  verification: UserVerification = "preferred",
): Promise<PasskeyRequest> {
  const passkeyChallenge = randomSecret();
  const passkeys = user ? await listPasskeys(ctx.db, user.id) : [];
  const options: PublicKeyCredentialRequestOptionsJSON = {
    rpId: relyingParty(ctx).id,
    challenge: passkeyChallenge,
    timeout: TIMEOUT,
    userVerification: user ? verification : "required",
    allowCredentials: passkeys.map(descriptor),
  };
  const sealed = sealFlow(ctx, { ...flow, passkeyChallenge });
  return { options: JSON.stringify(options), sealed, challenge: passkeyChallenge };
}

/** The enrolment of a passkey, sealed into its form. */
export interface PasskeyEnrolment {
  /** Distinguishes it from an app's enrolment, which is sealed with the same key. */
  kind: "passkey";
  userId: string;
  challenge: string;
  /** Epoch milliseconds. */
  at: number;
  /** A key that only confirms a sign-in, also if it can verify who holds it. */
  isOnlySecond?: boolean;
}

export interface NewPasskeyWishes {
  attachment?: "platform" | "cross-platform";
  isOnlySecond?: boolean;
}

/** Returns the request for adding a passkey; authenticators that already hold one refuse (excludeCredentials). */
export async function requestNewPasskey(
  ctx: Context,
  user: SignInUser,
  { attachment, isOnlySecond }: NewPasskeyWishes = {},
): Promise<PasskeyRequest> {
  const made = { challenge: randomSecret(), at: ctx.clock(), isOnlySecond };
  const enrolment: PasskeyEnrolment = { kind: "passkey", userId: user.id, ...made };
  const preference = isOnlySecond ? "discouraged" : "preferred";
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
    authenticatorSelection: {
      residentKey: preference,
      userVerification: preference,
      ...(attachment && { authenticatorAttachment: attachment }),
    },
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
