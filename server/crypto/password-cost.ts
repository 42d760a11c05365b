/**
 * What it costs to verify a password hash. Hashes made elsewhere say themselves how much work they demand, and whoever
 * may import people writes them, so the work is bounded by the product of their costs (attack: one imported hash that
 * computes for half a minute on every core, whenever a stranger types any password for its owner).
 */

/** OWASP's cheat sheet: argon2id with 19 MiB, 2 passes, 1 lane. */
export const OWN_COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

export type OwnCost = Readonly<Record<keyof typeof OWN_COST, number>>;

export interface HashCost {
  /** KiB. */
  memory: number;
  passes: number;
  /** Each is a thread of its own. */
  lanes: number;
}

const PHC = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,3})\$[A-Za-z0-9+/]{11,86}\$[A-Za-z0-9+/]{22,86}$/;

/** The cost an argon2id hash in PHC format names; undefined for anything else. */
export function costOf(hash: string): HashCost | undefined {
  const phc = PHC.exec(hash);
  if (!phc) return undefined;
  const [memory = 0, passes = 0, lanes = 0] = phc.slice(1).map(Number);
  return { memory, passes, lanes };
}

export interface CostLimit extends HashCost {
  /** KiB × passes, which is what computing takes time for. */
  work: number;
}

/**
 * What may be imported: 64 MiB (RFC 9106 §4, second choice), and as much work as that in four passes, which covers the
 * defaults of the common libraries; about seven times our own.
 */
export const IMPORTED_LIMIT: CostLimit = { memory: 65_536, passes: 20, lanes: 4, work: 4 * 65_536 };

/**
 * What is verified of hashes that were stored before there was the limit above. Dearer ones match no password: their
 * owners set a new one with a mailed link.
 */
export const STORED_LIMIT: CostLimit = { memory: 262_144, passes: 20, lanes: 16, work: 4 * 262_144 };

export function isWithin({ memory, passes, lanes }: HashCost, limit: CostLimit): boolean {
  const isEachWithin = memory <= limit.memory && passes <= limit.passes && lanes <= limit.lanes;
  return isEachWithin && memory * passes <= limit.work;
}

/** Whether it takes more work, or more threads, than our own hashes do. */
export function isDear(cost: HashCost): boolean {
  return cost.lanes > OWN_COST.parallelism || cost.memory * cost.passes > OWN_COST.memoryCost * OWN_COST.timeCost;
}

/** Whether a hash of that cost is made with these options. */
export function isOf({ memory, passes, lanes }: HashCost, own: OwnCost): boolean {
  return memory === own.memoryCost && passes === own.timeCost && lanes === own.parallelism;
}
