/**
 * Passkeys (WebAuthn Level 3 §7): as the only factor, if the authenticator has verified its user, or together with the
 * password. A library checks origin, relying party, challenge, signature and counter; this module checks whose passkey
 * it is, and that a challenge works once. The library is loaded on first use: with its attestation parsers, which are
 * not needed, it takes 15 MB, and longer to load than most of the service.
 */
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/server";
import { z } from "zod";
import type { Context } from "../../context";
import { addPasskey } from "../../directory/user/passkey";
import type { AddedFactor } from "../../directory/user/second-factor";
import { findUser, type SignInUser } from "../../directory/user/user";
import type { Cause, ChangeContext } from "../../events/record";
import { countFailedSignIn } from "../../metrics/instruments";
import { requiredOrganization } from "../../oidc/app-access";
import { FLOW_LIFETIME, type SignInFlow, scopeOf } from "../../oidc/flow";
import { isError } from "../../protocol/oauth-error";
import { findPasskey, MAX_COUNTER, type PasskeyRow, takeSignature } from "../../storage/factor/passkeys";
import type { Attempt } from "../attempt";
import { completeSignIn, type SignedIn } from "../complete-sign-in";
import { type FlowAttempt, noteInFlow } from "../note-attempt";
import { reasonOfState } from "../refused-password";
import { consumeChallenge, type PasskeyEnrolment, relyingParty, userHandlesOf } from "./passkey-request";
import { awaitedPerson, withFactors } from "./second-factor";

const bytes = z
  .string()
  .min(1)
  .max(20_000)
  .regex(/^[\w-]+$/);
const id = z
  .string()
  .min(1)
  .max(1_400)
  .regex(/^[\w-]+$/);
const credential = { id, rawId: id, type: z.literal("public-key"), clientExtensionResults: z.object({}).default({}) };
const assertion = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: bytes,
    authenticatorData: bytes,
    signature: bytes,
    userHandle: z.string().max(200).nullish(),
  }),
});
const attestation = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: bytes,
    attestationObject: bytes,
    transports: z
      .array(
        z
          .string()
          .max(20)
          .regex(/^[a-z-]+$/),
      )
      .max(10)
      .default([]),
  }),
});

function parse<T>(schema: z.ZodType<T>, json: string): T | undefined {
  try {
    return schema.safeParse(JSON.parse(json)).data;
  } catch {
    return undefined; // not JSON
  }
}

interface Signed {
  passkey: PasskeyRow;
  isUserVerified: boolean;
}

/** Returns the passkey that signed the flow's challenge; undefined if any check fails. */
async function checkSignature(
  ctx: Context,
  flow: SignInFlow,
  json: string,
  demands: { userId?: string; userVerification: boolean },
): Promise<Signed | undefined> {
  const { passkeyChallenge } = flow;
  const response = parse(assertion, json);
  if (!passkeyChallenge || !response || !(await consumeChallenge(ctx, passkeyChallenge))) return undefined;
  const passkey = await findPasskey(ctx.db, response.id);
  if (!passkey || (demands.userId !== undefined && passkey.userId !== demands.userId)) return undefined;
  // WebAuthn Level 3 §7.2 step 6: if the user is unknown, the user handle must be that of the credential's owner.
  const { userHandle } = response.response;
  const isOwners = userHandle && userHandlesOf(passkey.userId).includes(userHandle);
  if (userHandle ? !isOwners : demands.userId === undefined) return undefined;
  const { id: expectedRPID, origin: expectedOrigin } = relyingParty(ctx);
  const { verifyAuthenticationResponse } = await import("@simplewebauthn/server");
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: response as AuthenticationResponseJSON,
      expectedChallenge: passkeyChallenge,
      expectedOrigin,
      expectedRPID,
      credential: {
        id: passkey.id,
        publicKey: new Uint8Array(Buffer.from(passkey.publicKey, "base64url")),
        counter: passkey.counter,
      },
      requireUserVerification: demands.userVerification,
    });
    if (!verified) return undefined;
    const { newCounter, credentialBackedUp, userVerified } = authenticationInfo;
    const after = { counter: Math.min(newCounter, MAX_COUNTER), isBackedUp: credentialBackedUp, now: ctx.clock() };
    if (!(await takeSignature(ctx.db, passkey, after))) return undefined;
    return { passkey, isUserVerified: userVerified };
  } catch (error) {
    ctx.log.info({ userId: passkey.userId, reason: (error as Error).message }, "passkey refused");
    return undefined;
  }
}

/**
 * Returns the RFC 8176 §2 values: the key is bound to hardware (hwk) or synchronized among devices (swk), and the user
 * was present.
 */
function passkeyAmr({ isMultiDevice }: Pick<PasskeyRow, "isMultiDevice">): string[] {
  return [isMultiDevice ? "swk" : "hwk", "user"];
}

export interface PasskeyAttempt extends Attempt {
  /** The browser's response in JSON. */
  credential: string;
  /** The only user whose passkey is accepted, if it is known who signs in. */
  userId?: string;
}

export type PasskeyOutcome = { kind: "refused" } | { kind: "restart" } | ({ kind: "signed-in" } & SignedIn);

function refusedPasskey(ctx: Context, flow: SignInFlow, attempt: Omit<FlowAttempt, "reason">): PasskeyOutcome {
  countFailedSignIn("refused", "passkey");
  noteInFlow(ctx, flow, { reason: "passkey_failed", ...attempt });
  return { kind: "refused" };
}

/** Signs in with a passkey alone: two factors, possession and the verification by the authenticator. */
export async function signInWithPasskey(
  ctx: Context,
  flow: SignInFlow,
  { credential, userId, userAgent, requestId }: PasskeyAttempt,
): Promise<PasskeyOutcome> {
  const signed = await checkSignature(ctx, flow, credential, { userId, userVerification: true });
  const user = signed && (await findUser(ctx, signed.passkey.userId));
  if (!signed || !user) return refusedPasskey(ctx, flow, { userAgent });
  if (!user.mayAuthenticate || !(await isAdmitted(ctx, flow, user))) {
    countFailedSignIn("refused", "passkey");
    noteInFlow(ctx, flow, { reason: reasonOfState(user) ?? "other_organization", person: user, userAgent });
    return { kind: "refused" };
  }
  const amr = withFactors([], passkeyAmr(signed.passkey));
  return { kind: "signed-in", ...(await completeSignIn(ctx, flow, { user, amr, userAgent, requestId })) };
}

/** Whether the user belongs to the organization that the scopes name, if they name one. */
async function isAdmitted(ctx: Context, flow: SignInFlow, user: SignInUser): Promise<boolean> {
  const organizationId = await requiredOrganization(ctx, scopeOf(flow));
  return !isError(organizationId) && (organizationId === undefined || organizationId === user.organizationId);
}

/** Proves a passkey as the second factor. */
export async function confirmWithPasskey(
  ctx: Context,
  flow: SignInFlow,
  { credential, userAgent, requestId }: PasskeyAttempt,
): Promise<PasskeyOutcome> {
  const person = await awaitedPerson(ctx, flow, userAgent);
  if (!person?.ways.includes("passkey")) return { kind: "restart" };
  const { user, pending } = person;
  const signed = await checkSignature(ctx, flow, credential, { userId: user.id, userVerification: false });
  if (!signed) return refusedPasskey(ctx, flow, { person: user, detail: "passkey", userAgent });
  const amr = withFactors(pending.amr, passkeyAmr(signed.passkey));
  return { kind: "signed-in", ...(await completeSignIn(ctx, flow, { user, amr, userAgent, requestId })) };
}

export type NewPasskeyOutcome = (AddedFactor & { amr: string[] }) | { kind: "refused" } | { kind: "too-many" };

/**
 * Stores the passkey that the browser has created for this user.
 * @param redeem see `addPasskey`
 */
export async function keepNewPasskey(
  ctx: Context,
  user: SignInUser,
  form: { sealed: string; credential: string; cause: Cause & { actor?: string }; name?: string },
  redeem?: (ctx: ChangeContext) => Promise<boolean>,
): Promise<NewPasskeyOutcome> {
  const refused = { kind: "refused" } as const;
  const text = ctx.secrets.open("second-factor", form.sealed);
  const enrolment = text?.startsWith("{") ? (JSON.parse(text) as Partial<PasskeyEnrolment>) : undefined;
  const response = parse(attestation, form.credential);
  const { challenge, at = 0 } = enrolment ?? {};
  // Bound to the user: a stranger's passkey must not be added to their account.
  if (enrolment?.kind !== "passkey") return refused;
  if (!response || !challenge || enrolment.userId !== user.id || ctx.clock() - at > FLOW_LIFETIME) return refused;
  if (!(await consumeChallenge(ctx, challenge))) return refused;
  const { id: expectedRPID, origin: expectedOrigin } = relyingParty(ctx);
  const { verifyRegistrationResponse } = await import("@simplewebauthn/server");
  const made = await verifyRegistrationResponse({
    response: response as RegistrationResponseJSON,
    expectedChallenge: challenge,
    expectedOrigin,
    expectedRPID,
    requireUserVerification: false,
  }).catch((error: Error) => {
    ctx.log.info({ userId: user.id, reason: error.message }, "new passkey refused");
    return { verified: false } as const;
  });
  if (!made.verified) return refused;
  const { credential, aaguid, credentialDeviceType, credentialBackedUp, userVerified } = made.registrationInfo;
  const passkey = {
    id: credential.id,
    name: form.name ?? authenticatorName(aaguid),
    publicKey: Buffer.from(credential.publicKey).toString("base64url"),
    counter: Math.min(credential.counter, MAX_COUNTER),
    transports: response.response.transports.join(" "),
    aaguid,
    isMultiDevice: credentialDeviceType === "multiDevice",
    isBackedUp: credentialBackedUp,
    isUserVerified: userVerified && !enrolment.isOnlySecond,
  };
  const added = await addPasskey({ ...ctx, origin: { actor: user.id, ...form.cause } }, user, passkey, redeem);
  if (added.kind === "repeated" || added.kind === "redeemed") return refused;
  return added.kind === "added" ? { ...added, amr: passkeyAmr(passkey) } : added;
}

const NAMES: Readonly<Record<string, string>> = {
  "ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4": "Google Password Manager",
  "adce0002-35bc-c60a-648b-0b25f1f05503": "Chrome on Mac",
  "fbfc3007-154e-4ecc-8c0b-6e020557d7bd": "Apple Passwords",
  "dd4ec289-e01d-41c9-bb89-70fa845d4bf2": "iCloud Keychain",
  "08987058-cadc-4b81-b6e1-30de50dcbe96": "Windows Hello",
  "9ddd1817-af5a-4672-a2b9-3e3dd95000a9": "Windows Hello",
  "6028b017-b1d4-4c02-b4b3-afcdafc96bb2": "Windows Hello",
  "bada5566-a7aa-401f-bd96-45619a55120d": "1Password",
  "d548826e-79b4-db40-a3d8-11116f7e8349": "Bitwarden",
  "531126d6-e717-415c-9320-3d9aa6981239": "Dashlane",
  "fdb141b2-5d84-443e-8a35-4698c205a502": "KeePassXC",
  "50726f74-6f6e-5061-7373-50726f746f6e": "Proton Pass",
  "53414d53-554e-4700-0000-000000000000": "Samsung Pass",
};

/**
 * The initial name of a passkey: its provider, if it is widely known. AAGUIDs are public; without attestation they are
 * a hint for users and prove nothing (WebAuthn Level 3 §6.5.1).
 */
export function authenticatorName(aaguid: string): string {
  return NAMES[aaguid] ?? "Passkey";
}
