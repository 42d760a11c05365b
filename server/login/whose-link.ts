/** The organization of a mailed link, also of one that no longer works. */
import type { Context } from "../context";
import { digest } from "../crypto/digest";
import { findUser } from "../directory/user/user";
import { findOneTimeToken } from "../storage/user/one-time-tokens";

/** No secret of a link is longer, in characters. */
const MAX_LENGTH = 100;

/** Returns the organization of the user whom the link was made for; undefined if this service never made the link. */
export async function organizationOfLink(ctx: Context, token: string | undefined): Promise<string | undefined> {
  if (token === undefined || token.length > MAX_LENGTH) return undefined;
  const row = await findOneTimeToken<{ organizationId?: string }>(ctx.db, digest(token));
  if (!row) return undefined;
  const user = row.subjectId === null ? undefined : await findUser(ctx, row.subjectId);
  return user?.organizationId ?? row.payload.organizationId;
}
