/**
 * The cost of verifying a password hash. An imported hash defines its own cost, and any administrator who may import
 * users chooses it, so the product of its parameters is bounded (attack: one imported hash that occupies every core for
 * half a minute whenever anyone types a password for that user).
 */

/** The parameters of the OWASP cheat sheet: argon2id with 19 MiB, 2 passes, 1 lane. */
export const OWN_COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

export type OwnCost = Readonly<Record<keyof typeof OWN_COST, number>>;

export interface HashCost {
  /** KiB. */
  memory: number;
  passes: number;
  /** The degree of parallelism; each lane is a thread. */
  lanes: number;
}

const PHC = /^\$argon2(?:id|i)\$v=19\$m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,3})\$[A-Za-z0-9+/]{11,86}\$[A-Za-z0-9+/]{22,86}$/;

/** Returns the cost that an argon2id or argon2i hash in PHC format specifies, or undefined for any other text. */
export function costOf(hash: string): HashCost | undefined {
  const phc = PHC.exec(hash);
  if (!phc) return undefined;
  const [memory = 0, passes = 0, lanes = 0] = phc.slice(1).map(Number);
  return { memory, passes, lanes };
}

export interface CostLimit extends HashCost {
  /** KiB × passes, which the computing time is proportional to. */
  work: number;
}

/**
 * The limit for imports: four passes over 64 MiB (RFC 9106 §4, second choice), or fewer over 100 MiB, which covers the
 * defaults of the common libraries. That is about seven times our own cost.
 */
export const IMPORTED_LIMIT: CostLimit = { memory: 102_400, passes: 20, lanes: 8, work: 4 * 65_536 };

/**
 * The limit for verifying hashes that were stored before IMPORTED_LIMIT existed. Hashes over it match no password;
 * their owners set a new one with a mailed link.
 */
export const STORED_LIMIT: CostLimit = { memory: 262_144, passes: 20, lanes: 16, work: 4 * 262_144 };

export function isWithin({ memory, passes, lanes }: HashCost, limit: CostLimit): boolean {
  const isEachWithin = memory <= limit.memory && passes <= limit.passes && lanes <= limit.lanes;
  return isEachWithin && memory * passes <= limit.work;
}

/** Whether it takes more work or more threads than our own hashes. */
export function isDear(cost: HashCost): boolean {
  return cost.lanes > OWN_COST.parallelism || cost.memory * cost.passes > OWN_COST.memoryCost * OWN_COST.timeCost;
}

/** Whether a hash of that cost was made with these options. */
export function isOf({ memory, passes, lanes }: HashCost, own: OwnCost): boolean {
  return memory === own.memoryCost && passes === own.timeCost && lanes === own.parallelism;
}
