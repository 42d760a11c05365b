/**
 * Policies: what a level allows and demands. Each setting falls back by itself: organization → instance → built-in, so
 * that an organization that says one thing is not cut off from what the instance says about the others.
 */
import { z } from "zod";
import type { Context } from "../context";
import { difference } from "../events/difference";
import { type Details, type Origin, recordIn, UNCHANGED } from "../events/record";
import type { Transaction } from "../storage/database";
import { listPolicies, readPoliciesOf, readPolicy, writePolicy } from "../storage/policies";
import { createCache } from "./cache";
import { strict, webAddress } from "./fields";
import { findInstance } from "./instance";
import { SHORTEST_CHOSEN_PASSWORD, SHORTEST_PASSWORD } from "./password-policy";

/** The settings by kind, with the names they have in the management API. */
const schemas = {
  login: strict({
    /** Whether people may create accounts themselves. */
    allowRegister: z.boolean(),
    /** Whether everybody needs a second factor; whoever has none sets one up before going on. */
    forceMfa: z.boolean(),
    /** Seconds for which "not now" counts where setting up a second factor is suggested; 0: it is not suggested. */
    mfaInitSkipLifetime: z
      .int()
      .min(0)
      .max(10 * 31_536_000),
  }),
  password: strict({
    /** Characters. NIST SP 800-63B §3.1.1.2: 15 where the password is the only factor, 8 in any case. */
    minLength: z.int().min(SHORTEST_PASSWORD).max(72),
  }),
  lockout: strict({
    /** Wrong passwords in a row for one account, from wherever; NIST SP 800-63B §3.2.2: no more than 100. */
    maxPasswordAttempts: z.int().min(10).max(100),
  }),
  notification: strict({
    /** Whether people are told that their password was changed. */
    passwordChange: z.boolean(),
  }),
  /** Links below the pages; an empty one is none. */
  privacy: strict({
    tosLink: webAddress.or(z.literal("")),
    privacyLink: webAddress.or(z.literal("")),
    helpLink: webAddress.or(z.literal("")),
  }),
} as const;

export type PolicyKind = keyof typeof schemas;
export type PolicySettings<Kind extends PolicyKind> = z.output<(typeof schemas)[Kind]>;

/**
 * What holds where nobody says anything. Registration is open: prompt=create must lead to the form (Spec: prompt), and
 * an account alone gives access to nothing but itself.
 */
const builtIn: { readonly [Kind in PolicyKind]: PolicySettings<Kind> } = {
  login: { allowRegister: true, forceMfa: false, mfaInitSkipLifetime: 0 },
  password: { minLength: SHORTEST_CHOSEN_PASSWORD },
  lockout: { maxPasswordAttempts: 100 },
  // It is how people learn of a theft.
  notification: { passwordChange: true },
  privacy: { tosLink: "", privacyLink: "", helpLink: "" },
};

const resolved = createCache<PolicySettings<PolicyKind>>();

/**
 * What holds in an organization, at most five seconds old.
 * @param organizationId undefined: what holds where no organization is known yet
 */
export async function findPolicy<Kind extends PolicyKind>(
  ctx: Context,
  kind: Kind,
  organizationId: string | undefined,
): Promise<PolicySettings<Kind>> {
  const policy = await resolved.get(ctx, `${kind} ${organizationId ?? ""}`, async () => {
    const { id } = await findInstance(ctx);
    const rows = await listPolicies(ctx.db, kind, [id, organizationId ?? id]);
    const saidBy = (ownerId: string | undefined) => rows.find((row) => row.ownerId === ownerId)?.settings;
    return { ...builtIn[kind], ...saidBy(id), ...saidBy(organizationId) } as PolicySettings<PolicyKind>;
  });
  return policy as PolicySettings<Kind>;
}

/**
 * What holds in an organization, for a change that depends on it: read in its transaction, so that it waits for no
 * second connection while it has one.
 */
export async function readPolicyIn<Kind extends PolicyKind>(
  tx: Transaction,
  kind: Kind,
  organizationId: string,
): Promise<PolicySettings<Kind>> {
  const said = await readPoliciesOf(tx, organizationId, kind);
  return Object.assign({}, builtIn[kind], ...said) as PolicySettings<Kind>;
}

/** The settings as they may be written; a setting left out falls back to the level above. */
export function parsePolicy<Kind extends PolicyKind>(kind: Kind, settings: unknown) {
  return (schemas[kind] as z.ZodObject).partial().safeParse(settings) as z.ZodSafeParseResult<
    Partial<PolicySettings<Kind>>
  >;
}

/**
 * Replaces what one level says. The caller has parsed the settings and checked who asks.
 * @param ownerId an organization, or the instance
 */
export function setPolicy<Kind extends PolicyKind>(
  ctx: Context,
  tx: Transaction,
  ownerId: string,
  kind: Kind,
  settings: Partial<PolicySettings<Kind>>,
  origin: Origin,
): Promise<Details> {
  return recordIn(ctx, tx, {
    type: "policy.set",
    aggregateId: `${ownerId} ${kind}`,
    resourceOwner: ownerId,
    origin,
    async state(_, now) {
      const stored = (await readPolicy(tx, ownerId, kind)) ?? {};
      const changes = difference<{ settings: object }>({ settings: stored }, { settings });
      if (!changes) return UNCHANGED;
      await writePolicy(tx, ownerId, kind, settings, now);
      return { payload: { kind, ...changes.payload } };
    },
  });
}
