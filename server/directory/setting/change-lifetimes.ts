/**
 * Changes the lifetimes of tokens and codes at run time. A setting overrides the environment until it is reset. Tokens
 * and codes that were issued before keep their lifetime.
 */
import { isDeepStrictEqual } from "node:util";
import type { Context } from "../../context";
import { difference } from "../../events/difference";
import { type Details, type Origin, recordIn, UNCHANGED } from "../../events/record";
import { type ApiError, invalidArgument } from "../../protocol/api-error";
import { reason, sentenceOf } from "../../protocol/reason";
import { lockInstanceRow, updateInstanceRow } from "../../storage/instance/instance";
import { changeDirectory } from "../change";
import { CODES, type CodeKind, findLifetimes, TOKEN_LIFETIMES, type TokenLifetime } from "../effective-lifetimes";
import { findInstance } from "../instance";

type Stored = Readonly<Record<string, unknown>>;

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
  ctx: Context,
  wanted: Partial<Record<TokenLifetime, number>>,
  origin: Origin,
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
  return changeLifetimes(ctx, "tokenLifetimes", origin, (stored) => ({
    ...stored,
    ...wanted,
    // Tokens issued so far are valid for this long, so the keys that signed them are kept as long (keys/signing-keys).
    longest: Math.max(Number(stored.longest ?? 0), inForce.accessToken, inForce.idToken),
  }));
}

/** Resets the lifetimes of tokens to those of the environment. */
export async function resetTokenLifetimes(ctx: Context, origin: Origin): Promise<Details> {
  const { accessToken, idToken } = await findLifetimes(ctx);
  return changeLifetimes(ctx, "tokenLifetimes", origin, (stored) =>
    TOKEN_LIFETIMES.every((name) => stored[name] === undefined)
      ? stored
      : { longest: Math.max(Number(stored.longest ?? 0), accessToken, idToken) },
  );
}

/**
 * Sets the lifetime of codes.
 * @param lifetime milliseconds
 */
export async function setCodeLifetime(
  ctx: Context,
  kind: CodeKind,
  lifetime: number,
  origin: Origin,
): Promise<Details | ApiError> {
  const { least, most } = CODES[kind];
  if (lifetime < least || lifetime > most) return outOfBounds("expiry", least, most);
  return changeLifetimes(ctx, "codeLifetimes", origin, (stored) => ({ ...stored, [kind]: lifetime }));
}

function outOfBounds(field: string, least: number, most: number): ApiError {
  const why = reason("between", { least: `${least / 1_000}s`, most: `${most / 1_000}s` });
  return invalidArgument("lifetime.out_of_bounds", sentenceOf(why), { field, reason: why });
}

/** Changes one of the two columns; records nothing if nothing differs. */
async function changeLifetimes(
  ctx: Context,
  column: "tokenLifetimes" | "codeLifetimes",
  origin: Origin,
  change: (stored: Stored) => Record<string, unknown> | Stored,
): Promise<Details> {
  const { id } = await findInstance(ctx);
  return changeDirectory(ctx, (tx) =>
    recordIn(ctx, tx, {
      type: "instance.changed",
      aggregateId: id,
      resourceOwner: id,
      origin,
      async state() {
        const stored = (await lockInstanceRow(ctx.db, tx))?.[column] ?? {};
        const wanted = change(stored);
        if (isDeepStrictEqual(stored, wanted)) return UNCHANGED;
        await updateInstanceRow(tx, id, { [column]: wanted });
        return { payload: difference({ [column]: stored }, { [column]: wanted })?.payload };
      },
    }),
  );
}
