/**
 * Slows down guesses (NIST SP 800-63B §3.2.2, ASVS 6.3.1). No delay that a stranger can cause lasts longer than hours
 * (attack: locking users out by wrong guesses on purpose). Choice: our own counters, because both databases must decide
 * in one conditional statement; libraries read first and write later, or open their own connections.
 */
import { isIP } from "node:net";
import type { Context } from "./context";
import { digest } from "./crypto/digest";
import { countThrottled } from "./metrics/instruments";
import type { Insert } from "./storage/database";
import { countFailure, type Delays, deleteThrottles, listThrottles } from "./storage/sign-in/throttles";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export interface Limit {
  name: string;
  /** The number of the first failure that blocks. */
  blockAt: number;
  delays: Delays;
  /** Milliseconds without a failure after which counting starts over. */
  resetAfter: number;
}

/** Seconds until the next attempt is allowed, rounded up; 0 if it is. @param retryAt epoch milliseconds */
export const secondsUntil = (ctx: Context, retryAt: number): number =>
  Math.max(0, Math.ceil((retryAt - ctx.clock()) / 1_000));

/** Minutes until the next attempt is allowed, rounded up; 0 if it is. @param retryAt epoch milliseconds */
export function minutesUntil(ctx: Context, retryAt = 0): number {
  return Math.max(0, Math.ceil((retryAt - ctx.clock()) / MINUTE));
}

/** Hours at most: then one more guess is allowed, which is a handful a day (NIST: no more than 100 at a stretch). */
const decaying: Delays = [15 * MINUTE, 30 * MINUTE, HOUR, 2 * HOUR, 4 * HOUR];
const once = (delay: number): Delays => [delay, delay, delay, delay, delay];
const doubling: Delays = [MINUTE, 2 * MINUTE, 4 * MINUTE, 8 * MINUTE, 15 * MINUTE];

export const limits = {
  /** One user from one network: five attempts, then a minute, two, four … a quarter of an hour. */
  passwordFrom: { name: "password-from", blockAt: 5, delays: doubling, resetAfter: DAY },
  /** One user from all networks. The lockout policy replaces `blockAt` (login/lockout.ts). */
  password: { name: "password", blockAt: 100, delays: decaying, resetAfter: DAY },
  /** One network with any login names (password spraying). */
  passwordsFrom: { name: "passwords-from", blockAt: 300, delays: doubling, resetAfter: 10 * MINUTE },
  /** One mailed code; ten attempts are enough to copy eight characters. */
  code: { name: "code", blockAt: 10, delays: once(DAY), resetAfter: DAY },
  /** One code in a text message, which others may read on a locked screen. */
  textedCode: { name: "texted-code", blockAt: 6, delays: once(DAY), resetAfter: DAY },
  /** All codes of one account, so that requesting more codes gives no more guesses. */
  codesOf: { name: "codes-of", blockAt: 10, delays: once(HOUR), resetAfter: HOUR },
  /** Second factors in one sign-in. */
  factor: { name: "factor", blockAt: 10, delays: once(DAY), resetAfter: DAY },
  /** One kind of second factor of one account, so that signing in again gives no more guesses. */
  factorsOf: { name: "factors-of", blockAt: 10, delays: [HOUR, 4 * HOUR, 12 * HOUR, DAY, DAY], resetAfter: DAY },
  /** User codes of devices from one network: among 25 billion, a handful of guesses finds none. */
  userCodeFrom: { name: "user-code-from", blockAt: 10, delays: doubling, resetAfter: 10 * MINUTE },
  /** Mails to one address, so that our forms cannot flood an inbox. */
  mailsTo: { name: "mails-to", blockAt: 5, delays: once(HOUR), resetAfter: HOUR },
  /** Text messages to one number from one organization, and to the second factor of one person: they cost money. */
  textsTo: { name: "texts-to", blockAt: 5, delays: once(HOUR), resetAfter: HOUR },
  /** Text messages for one user, to any numbers. */
  textsOf: { name: "texts-of", blockAt: 10, delays: once(DAY), resetAfter: DAY },
  /** Text messages of one organization in one hour of the clock (mailed-code/mail-limit.ts), requested by any user. */
  textsIn: { name: "texts-in", blockAt: 500, delays: once(HOUR), resetAfter: HOUR },
  /** Texts to numbers that are only being set, as a part of the former: the rest is kept for sign-ins. */
  numbersIn: { name: "numbers-in", blockAt: 250, delays: once(HOUR), resetAfter: HOUR },
  /** Invitation mails of one organization in one hour of the clock, sent by any user. */
  invitationsIn: { name: "invitations-in", blockAt: 2_000, delays: once(HOUR), resetAfter: HOUR },
  /** Codes for devices that one network requests in the name of clients without a secret. */
  devicesFrom: { name: "devices-from", blockAt: 60, delays: once(10 * MINUTE), resetAfter: 10 * MINUTE },
  /** Codes for devices of one client within ten minutes of the clock, which is the lifetime of a code. */
  devicesOf: { name: "devices-of", blockAt: 10_000, delays: once(10 * MINUTE), resetAfter: 10 * MINUTE },
  /** Authorization requests that one network pushes in the name of clients without a secret. */
  pushesFrom: { name: "pushes-from", blockAt: 600, delays: once(MINUTE), resetAfter: MINUTE },
  /** Clients that one network registers without an initial access token. */
  registrationsFrom: { name: "registrations-from", blockAt: 10, delays: once(HOUR), resetAfter: HOUR },
  /** Such clients of all networks in an hour of the clock, which bounds the table: they are kept for 30 days. */
  registrationsIn: { name: "registrations-in", blockAt: 2_000, delays: once(HOUR), resetAfter: HOUR },
  /** Sign-ins at identity providers that one network starts: each is stored until it ends. */
  providersFrom: { name: "providers-from", blockAt: 300, delays: once(10 * MINUTE), resetAfter: 10 * MINUTE },
  /** Settings of LDAP directories that one user tries: the answer says what a server does. */
  directoryTrialsOf: { name: "directory-trials-of", blockAt: 60, delays: once(HOUR), resetAfter: HOUR },
  /** Mails caused by one network. */
  mailsFrom: { name: "mails-from", blockAt: 60, delays: once(10 * MINUTE), resetAfter: 10 * MINUTE },
} as const satisfies Record<string, Limit>;

for (const { name } of Object.values(limits)) countThrottled.beginAtZero([name]);

export interface Counter {
  id: string;
  limit: Limit;
  /** The target of the attempts, if they can be forgiven together. */
  subject?: string;
}

export function counter(limit: Limit, ...of: string[]): Counter {
  return { id: digest(JSON.stringify([limit.name, ...of])), limit };
}

/**
 * Returns the network that a client address is counted as: an IPv4 address itself, and the /64 network of an IPv6
 * address, which one customer gets.
 */
export function networkOf(address: string | undefined): string {
  if (address === undefined) return "unknown";
  const plain = address.replace(/%.*$/, "").replace(/^::ffff:(?=\d+\.)/i, "");
  if (isIP(plain) !== 6) return plain;
  const [head = "", tail] = plain.split("::");
  const groups = (text: string) => (text === "" ? [] : text.split(":"));
  const rest = groups(tail ?? "");
  const missing = tail === undefined ? 0 : 8 - groups(head).length - rest.length;
  const all = [...groups(head), ...Array<string>(Math.max(0, missing)).fill("0"), ...rest];
  return all
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(":");
}

export interface Tally {
  /** Epoch milliseconds; undefined while nothing is blocked. */
  blockedUntil: number | undefined;
  /** The name of the limit that blocks longest; undefined while nothing is blocked. */
  blockedBy: string | undefined;
  /** The counters that have counted anything. */
  counted: Counter[];
}

/** The current state of these counters. */
export async function tally(ctx: Context, counters: readonly Counter[]): Promise<Tally> {
  const now = ctx.clock();
  const ids = counters.map(({ id }) => id);
  const rows = await listThrottles(ctx.db, ids, now);
  const latest = Math.max(0, ...rows.map(({ blockedUntil }) => blockedUntil));
  const counted = counters.filter(({ id }) => rows.some((row) => row.id === id));
  const blocking = latest > now ? rows.find(({ blockedUntil }) => blockedUntil === latest) : undefined;
  const blockedBy = blocking && (counters.find(({ id }) => id === blocking.id)?.limit.name ?? "");
  if (blockedBy !== undefined) countThrottled(blockedBy);
  return { blockedUntil: blocking?.blockedUntil, blockedBy, counted };
}

/**
 * Counts a failure with each counter, unless one is already blocked: then the result of the attempt must not be
 * revealed.
 * @param inserts what is stored in the commit of the last counter, unless one is blocked
 * @returns when the block ends (epoch milliseconds); undefined if the failure was counted
 */
export async function countFailures(
  ctx: Context,
  counters: readonly Counter[],
  inserts: readonly Insert[] = [],
): Promise<number | undefined> {
  const now = ctx.clock();
  const last = counters.at(-1)?.id;
  for (const { id, limit, subject } of counters) {
    if (await countFailure(ctx.db, { id, subject, now, ...limit }, id === last ? inserts : [])) continue;
    return (await tally(ctx, counters)).blockedUntil ?? now;
  }
  return undefined;
}

export function resetCounters(ctx: Context, counters: readonly Counter[]): Promise<void> {
  return deleteThrottles(
    ctx.db,
    counters.map(({ id }) => id),
  );
}
