/**
 * Initial access tokens (RFC 7591 §1.2): an administrator of the instance gives one to a person or a program that
 * registers clients, any number of them until it expires.
 */
import { parseDuration } from "../../config/value-parsers";
import type { Context } from "../../context";
import { digest } from "../../crypto/digest";
import { newId, randomSecret } from "../../crypto/random";
import { type OriginContext, recordIn } from "../../events/record";
import { type ApiError, failedPrecondition, notFound } from "../../protocol/api-error";
import {
  countRegistrationTokensIn,
  deleteRegistrationToken,
  findRegistrationToken,
  insertRegistrationToken,
  listRegistrationTokens,
  type ShownRegistrationToken,
} from "../../storage/app/registration-tokens";
import { changeDirectory } from "../change";
import { findInstance } from "../instance";

const DAY = 86_400_000;
const DEFAULT_LIFETIME = 30 * DAY;
/** Milliseconds. */
export const MAX_TOKEN_LIFETIME = 366 * DAY;
const MAX_TOKENS = 1_000;

/**
 * Creates a token.
 * @param lifetime a valid duration such as `90d`; 30 days by default
 * @returns the token, which cannot be read again
 */
export async function createInitialToken(
  ctx: OriginContext,
  lifetime: string | undefined,
): Promise<{ id: string; token: string; expiresAt: number } | ApiError> {
  const lasts = lifetime === undefined ? DEFAULT_LIFETIME : Number(parseDuration(lifetime));
  const instance = await findInstance(ctx);
  const [id, token] = [newId(), randomSecret()];
  const expiresAt = ctx.clock() + lasts;
  return changeDirectory(ctx, async (ctx): Promise<{ id: string; token: string; expiresAt: number } | ApiError> => {
    if ((await countRegistrationTokensIn(ctx.tx, ctx.clock())) >= MAX_TOKENS) {
      return failedPrecondition("registration_token.too_many", "There are too many tokens. Delete some first.");
    }
    await recordIn(ctx, {
      type: "instance.registration_token.created",
      object: { id: instance.id, organizationId: instance.id },
      async state(_, now) {
        const row = { id, digest: digest(token), createdBy: ctx.origin.actor, createdAt: now, expiresAt };
        await insertRegistrationToken(ctx.tx, row);
        return { payload: { tokenId: id, expiresAt: new Date(expiresAt).toISOString() } };
      },
    });
    return { id, token, expiresAt };
  });
}

/** Returns the tokens that have not expired, without their values. */
export const listInitialTokens = (ctx: Context): Promise<ShownRegistrationToken[]> =>
  listRegistrationTokens(ctx.db, ctx.clock());

/** Deletes a token; clients that registered with it remain. */
export async function removeInitialToken(ctx: OriginContext, id: string): Promise<undefined | ApiError> {
  const instance = await findInstance(ctx);
  return changeDirectory(ctx, async (ctx): Promise<undefined | ApiError> => {
    if (!(await deleteRegistrationToken(ctx.tx, id))) {
      return notFound("registration_token.not_found", "This token does not exist, or it has expired.");
    }
    await recordIn(ctx, {
      type: "instance.registration_token.removed",
      object: { id: instance.id, organizationId: instance.id },
      state: async () => ({ payload: { tokenId: id } }),
    });
    return undefined;
  });
}

/** Returns who vouches for a client that registers with this token; undefined if the token is not valid. */
export function verifyInitialToken(
  ctx: Context,
  token: string,
): Promise<{ id: string; createdBy: string } | undefined> {
  return findRegistrationToken(ctx.db, digest(token), ctx.clock());
}
