/** Personal access tokens of machines. They are shown once, when they are made; the database contains only digests. */
import type { Context } from "../../context";
import { digest } from "../../crypto/digest";
import { newId, randomSecret } from "../../crypto/random";
import { type Details, type OriginContext, recordIn } from "../../events/record";
import { type ApiError, failedPrecondition, isApiError, notFound } from "../../protocol/api-error";
import { serviceAudience } from "../../protocol/management";
import {
  type CredentialMatch,
  countTokensIn,
  credentialsThat,
  deleteToken,
  insertToken,
  machineTokenList,
  ofMachine,
  readProjectIds,
  type ShownToken,
} from "../../storage/machine-user/credentials";
import { lockUser } from "../../storage/user/user";
import { type PagedList, pagedList } from "../listing";
import { changeUser, type UserRef } from "./change";
import { readListedUser } from "./list";

export type ListedToken = ShownToken;

/** Each additional token is one more that can be lost. */
const MAX_TOKENS = 50;
/** Milliseconds. Choice: a token without a given expiry expires after a year, so that none is forgotten for ever. */
const YEAR = 365 * 24 * 3_600_000;
/** The scope of personal access tokens. */
const TOKEN_SCOPE = "openid profile urn:service:iam:user:metadata urn:service:iam:user:resourceowner";
/** The maximum number of projects in the audience of a token. */
const MAX_PROJECTS = 50;

/**
 * Makes a bearer token for the APIs of this service and, by introspection, for those of the projects that the machine's
 * organization has at this time.
 * @param wanted.expiresAt epoch milliseconds
 */
export async function makePersonalAccessToken(
  ctx: OriginContext,
  ref: UserRef,
  { expiresAt = ctx.clock() + YEAR }: { expiresAt?: number },
): Promise<{ tokenId: string; token: string; expiresAt: number; details: Details } | ApiError> {
  if (expiresAt <= ctx.clock()) {
    return failedPrecondition(
      "machine.token_expired",
      "The token would have expired already. Choose a time in the future.",
      { field: "expirationDate" },
    );
  }
  const token = randomSecret();
  const id = newId();
  return changeUser(ctx, { ...ref, kind: "machine" }, async (ctx, machine) => {
    await lockUser(ctx.db, ctx.tx, machine.id);
    if ((await countTokensIn(ctx.tx, machine.id)) >= MAX_TOKENS) {
      return failedPrecondition("machine.too_many_tokens", `A machine has ${MAX_TOKENS} tokens at most: remove one.`);
    }
    const projects = await readProjectIds(ctx.tx, machine.organizationId, MAX_PROJECTS);
    const clientId = machine.clientId ?? machine.userName;
    const audience = [...new Set([clientId, serviceAudience, ...projects])].join(" ");
    const details = await recordIn(ctx, {
      type: "user.personal_access_token.added",
      object: machine,
      async state(_, now) {
        const grant = { id, clientId, userId: machine.id, scope: TOKEN_SCOPE, audience };
        await insertToken(ctx.tx, grant, { id: digest(token) }, { createdAt: now, expiresAt });
        return { payload: { tokenId: id, expiresAt: new Date(expiresAt).toISOString() } };
      },
    });
    return { tokenId: id, token, expiresAt, details };
  });
}

export function removePersonalAccessToken(
  ctx: OriginContext,
  ref: UserRef,
  tokenId: string,
): Promise<Details | ApiError> {
  return changeUser(ctx, { ...ref, kind: "machine" }, async (ctx, machine) => {
    if (!(await deleteToken(ctx.tx, machine.id, tokenId))) return noSuchToken();
    return recordIn(ctx, {
      type: "user.personal_access_token.removed",
      object: machine,
      state: async () => ({ payload: { tokenId } }),
    });
  });
}

const noSuchToken = () => notFound("machine.token_not_found", "The machine has no such token.");

/** Lists the tokens of a machine, oldest first. */
export async function listPersonalAccessTokens(ctx: Context, ref: UserRef): Promise<PagedList<ListedToken> | ApiError> {
  const machine = await readListedUser(ctx, { ...ref, kind: "machine" });
  if (isApiError(machine)) return machine;
  return searchPersonalAccessTokens(ctx, [{ userId: machine.id }]);
}

/** Lists the tokens of several machines, oldest first; a token must match all given filters. */
export function searchPersonalAccessTokens(ctx: Context, matches: readonly CredentialMatch[]): PagedList<ListedToken> {
  return pagedList(ctx, credentialsThat(matches), machineTokenList);
}

export async function readPersonalAccessToken(
  ctx: Context,
  ref: UserRef,
  tokenId: string,
): Promise<ListedToken | ApiError> {
  const machine = await readListedUser(ctx, { ...ref, kind: "machine" });
  if (isApiError(machine)) return machine;
  const first = { after: undefined, offset: 0, limit: 1, descending: false };
  const { rows } = await machineTokenList.page(ctx.db, ofMachine(machine.id, tokenId), first);
  return rows[0] ?? noSuchToken();
}
