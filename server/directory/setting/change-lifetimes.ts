/**
 * Changes the lifetimes of tokens and codes at run time. A setting overrides the environment until it is reset. Tokens
 * and codes that were issued before keep their lifetime.
 */
import type { Details, OriginContext } from "../../events/record";
import { type ApiError, invalidArgument } from "../../protocol/api-error";
import { reason, sentenceOf } from "../../protocol/reason";
import { CODES, type CodeKind, findLifetimes, TOKEN_LIFETIMES, type TokenLifetime } from "../effective-lifetimes";
import { changeInstanceColumn } from "../instance-settings";

/** Milliseconds; shorter tokens would expire in transit. */
const LEAST = 60_000;

/** The names of the lifetimes in the API. */
export const SETTING_OF: Readonly<Record<TokenLifetime, string>> = {
  accessToken: "accessTokenLifetime",
  idToken: "idTokenLifetime",
  refreshTokenIdle: "refreshTokenIdleExpiration",
  refreshToken: "refreshTokenExpiration",
};

/**
 * Sets lifetimes of tokens.
 * @param wanted milliseconds; omitted ones are kept
 */
export async function setTokenLifetimes(
  ctx: OriginContext,
  wanted: Partial<Record<TokenLifetime, number>>,
): Promise<Details | ApiError> {
  const inForce = await findLifetimes(ctx);
  const after = { ...inForce, ...wanted };
  for (const name of TOKEN_LIFETIMES) {
    const value = wanted[name];
    if (value === undefined) continue;
    const most = inForce.maximum[name];
    if (value < LEAST || value > most) return outOfBounds(SETTING_OF[name], LEAST, most);
  }
  if (after.refreshTokenIdle > after.refreshToken) {
    return outOfBounds(SETTING_OF.refreshTokenIdle, LEAST, after.refreshToken);
  }
  return changeInstanceColumn(ctx, "tokenLifetimes", (stored) => ({
    ...stored,
    ...wanted,
    // Signing keys are kept as long as the tokens issued so far are valid (keys/signing-keys).
    longest: Math.max(Number(stored.longest ?? 0), inForce.accessToken, inForce.idToken),
  }));
}

/** Resets the lifetimes of tokens to those of the environment. */
export async function resetTokenLifetimes(ctx: OriginContext): Promise<Details> {
  const { accessToken, idToken } = await findLifetimes(ctx);
  const reset = (stored: Readonly<Record<string, unknown>>) =>
    TOKEN_LIFETIMES.every((name) => stored[name] === undefined)
      ? stored
      : { longest: Math.max(Number(stored.longest ?? 0), accessToken, idToken) };
  return changeInstanceColumn(ctx, "tokenLifetimes", reset);
}

/**
 * Sets the lifetime of codes.
 * @param lifetime milliseconds
 */
export async function setCodeLifetime(
  ctx: OriginContext,
  kind: CodeKind,
  lifetime: number,
): Promise<Details | ApiError> {
  const { least, most } = CODES[kind];
  if (lifetime < least || lifetime > most) return outOfBounds("expiry", least, most);
  return changeInstanceColumn(ctx, "codeLifetimes", (stored) => ({ ...stored, [kind]: lifetime }));
}

function outOfBounds(field: string, least: number, most: number): ApiError {
  const why = reason("between", { least: `${least / 1_000}s`, most: `${most / 1_000}s` });
  return invalidArgument("lifetime.out_of_bounds", sentenceOf(why), { field, reason: why });
}
