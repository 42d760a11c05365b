/**
 * Responses that take the same time for any result (ASVS 6.3.8): if one branch stores and mails and the other has
 * nothing to do, the response time would reveal whether there is an account.
 */
import { setTimeout as timer } from "node:timers/promises";
import type { Context } from "../context";

/** Milliseconds: more than the work takes on a machine that is not overloaded. */
const STEADY = 250;

/** Runs the work and resolves after a fixed time, or when the work is done, if that is later. */
export async function inSteadyTime<T>({ pause = timer }: Context, work: () => Promise<T>): Promise<T> {
  const steady = pause(STEADY);
  const [result] = await Promise.allSettled([work(), steady]);
  if (result.status === "rejected") throw result.reason;
  return result.value;
}

/**
 * Milliseconds: more than verifying the most expensive argon2 hash that may be imported takes
 * (crypto/password-cost.ts). Some other hashes take longer, until the first sign-in of their user replaces them.
 */
export const STEADY_REFUSAL = 150;

/**
 * Delays only rejections; success is not delayed.
 * @param timeOf how long this rejection takes at least, in milliseconds
 */
export async function refusedInSteadyTime<T>(
  { pause = timer }: Context,
  isRefused: (result: T) => boolean,
  work: () => Promise<T>,
  timeOf: (result: T) => number = () => STEADY_REFUSAL,
): Promise<T> {
  const begun = performance.now();
  const result = await work();
  if (!isRefused(result)) return result;
  const left = timeOf(result) - (performance.now() - begun);
  if (left > 0) await pause(left);
  return result;
}
