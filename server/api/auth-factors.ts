/** Second factors and passkeys as both versions of the API show them; all that are listed are ready for use. */
import { z } from "zod";
import type { AuthenticationMethods, ListedPasskey } from "../directory/user/credentials";
import type { FactorKind } from "../protocol/second-factor";

export const STATES = [
  "AUTH_FACTOR_STATE_UNSPECIFIED",
  "AUTH_FACTOR_STATE_NOT_READY",
  "AUTH_FACTOR_STATE_READY",
  "AUTH_FACTOR_STATE_REMOVED",
] as const;
const READY = "AUTH_FACTOR_STATE_READY";
const state = z.literal(READY);
const empty = z.object({});

export const authFactor = z
  .object({
    state,
    otp: empty.optional().meta({ description: "An authenticator app" }),
    otpEmail: empty.optional().meta({ description: "Codes by email" }),
    otpSms: empty.optional().meta({ description: "Codes by text message" }),
    u2f: z
      .object({ id: z.string(), name: z.string() })
      .optional()
      .meta({ description: "A key that only confirms a sign-in" }),
  })
  .meta({ id: "AuthFactor" });

const KINDS = { totp: "OTP", email: "OTP_EMAIL", sms: "OTP_SMS" } as const satisfies Record<FactorKind, string>;
export const FACTOR_KINDS = ["OTP", "OTP_SMS", "OTP_EMAIL", "U2F"] as const;
type Kind = (typeof FACTOR_KINDS)[number];
const MEMBERS = { totp: { otp: {} }, email: { otpEmail: {} }, sms: { otpSms: {} } } as const satisfies Record<
  FactorKind,
  object
>;

/** One entry for each kind that has no name, and one for each key. */
export function toAuthFactors({ factors, passkeys }: AuthenticationMethods) {
  const kinds = [...new Set(factors.map(({ kind }) => kind))];
  return [
    ...kinds.map((kind) => ({ kind: KINDS[kind] as Kind, shown: { state: READY, ...MEMBERS[kind] } as const })),
    ...passkeys
      .filter(isOnlySecond)
      .map(({ id, name }) => ({ kind: "U2F" as Kind, shown: { state: READY, u2f: { id, name } } as const })),
  ];
}

/** Whether the key does not verify who holds it, so that it is no passkey (WebAuthn Level 3 §6.2.3). */
export const isOnlySecond = ({ isUserVerified }: ListedPasskey) => !isUserVerified;

export const passkey = z.object({ id: z.string(), state, name: z.string() });

export const toPasskey = ({ id, name }: ListedPasskey) => ({ id, state: READY, name }) as const;
