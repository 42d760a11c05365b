/** Second factors and passkeys in the responses of both versions of the API. All listed ones are ready for use. */
import { z } from "zod";
import type { AuthenticationMethods, ListedPasskey } from "../../directory/user/credentials";
import { type FactorKind, factorKinds } from "../../protocol/second-factor";
import { timestamp } from "../operation/schemas";

export const FACTOR_STATES = [
  "AUTH_FACTOR_STATE_UNSPECIFIED",
  "AUTH_FACTOR_STATE_NOT_READY",
  "AUTH_FACTOR_STATE_READY",
  "AUTH_FACTOR_STATE_REMOVED",
] as const;
const READY = "AUTH_FACTOR_STATE_READY";
const state = z.literal(READY);
const empty = z.object({});

type Kinds = typeof factorKinds;
type Member = Kinds[FactorKind]["apiType"];
type Kind = Kinds[FactorKind]["listedAs"] | "U2F";

const kinds = Object.values(factorKinds);
const members = Object.fromEntries(
  kinds.map(({ apiType, about }) => [apiType, empty.optional().meta({ description: about })]),
) as Readonly<Record<Member, z.ZodOptional<typeof empty>>>;

export const authFactor = z
  .object({
    state,
    ...members,
    u2f: z
      .object({ id: z.string(), name: z.string() })
      .optional()
      .meta({ description: "A key that only confirms a sign-in" }),
  })
  .meta({ id: "AuthFactor" });

export const FACTOR_KINDS: readonly Kind[] = [...kinds.map(({ listedAs }) => listedAs), "U2F"];

/** One entry for each kind that has no name, and one for each key. */
export function toAuthFactors({ factors, passkeys }: AuthenticationMethods) {
  const setUp = [...new Set(factors.map(({ kind }) => factorKinds[kind]))];
  return [
    ...setUp.map(({ listedAs, apiType }) => entry(listedAs, { [apiType]: {} })),
    ...passkeys.filter(isOnlySecond).map(({ id, name }) => entry("U2F", { u2f: { id, name } })),
  ];
}

const entry = (kind: Kind, shown: Omit<z.input<typeof authFactor>, "state">) => ({
  kind,
  shown: { state: READY, ...shown } as const,
});

/** Returns whether the key has no user verification, and is therefore not a passkey (WebAuthn Level 3 §6.2.3). */
export const isOnlySecond = ({ isUserVerified }: ListedPasskey) => !isUserVerified;

export const passkey = z.object({ id: z.string(), state, name: z.string() });

export const toPasskey = ({ id, name }: ListedPasskey) => ({ id, state: READY, name }) as const;

export const listDetails = z.object({
  totalResult: z.string().meta({ description: "uint64 as a string" }),
  timestamp,
});
export const detailsOf = (list: readonly unknown[], now: number) => ({
  totalResult: String(list.length),
  timestamp: new Date(now).toISOString(),
});
