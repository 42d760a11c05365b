/**
 * Finds misspelt variables. They would be ignored silently and the default used instead, which for BASE_URL or
 * TRUSTED_PROXIES is a fault that is hard to notice. Rule CONFIG-1.
 */

import { editDistance } from "../protocol/edit-distance";

/** Names that are allowed in `.env` though they are not ours: Node, Next and the time zone use them. */
const FOREIGN = /^(NODE_|NEXT_|TZ$)/;

/** Variables of other programs that differ from ours by one slip: OpenSSL, Go and Python read this one. */
const NEIGHBOURS: readonly string[] = ["SSL_CERT_FILE"];

/**
 * The known name that was meant, or undefined. The environment contains many names of other programs, so only near
 * misses count: other letter case, and one slip (two in names longer than ten letters); in names as short as PORT only
 * two swapped letters.
 */
export function meantSetting(name: string, known: readonly string[]): string | undefined {
  if (known.includes(name) || NEIGHBOURS.includes(name)) return undefined;
  const upper = name.toUpperCase();
  // Singular and plural: TRUSTED_PROXY.
  return known.find((candidate) => isNear(upper, candidate) || isNear(upper.replace(/Y$/, "IES"), candidate));
}

function isNear(name: string, candidate: string): boolean {
  if (name === candidate) return true;
  if (Math.abs(name.length - candidate.length) > 2) return false; // more slips than are ever forgiven
  const slips = editDistance(name, candidate);
  if (candidate.length <= 5) return slips === 1 && name.length === candidate.length && sameLetters(name, candidate);
  return slips <= (candidate.length > 10 ? 2 : 1);
}

/** Whether a name in `.env` is unknown. That file is only ours, so an unknown name is a mistake. */
export function isUnknownInDotEnv(name: string, known: readonly string[]): boolean {
  return !known.includes(name) && !FOREIGN.test(name);
}

function sameLetters(a: string, b: string): boolean {
  return [...a].sort().join("") === [...b].sort().join("");
}
