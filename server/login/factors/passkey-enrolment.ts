/**
 * Passkeys that are added on a page of another program, by the management APIs: what the browser must sign, and the
 * passkey that it made. The page must be on the host of this service, to which passkeys belong.
 */
import type { Context } from "../../context";
import { digest } from "../../crypto/digest";
import { newId } from "../../crypto/random";
import { PASSKEY_PURPOSE } from "../../directory/mailed-code/passkey-link";
import { checkNoRoleGiven, listCoveredRoles } from "../../directory/member/privileges";
import { noSuchUser } from "../../directory/not-found";
import { findUser, type SignInUser } from "../../directory/user/user";
import type { OriginContext } from "../../events/record";
import { FLOW_LIFETIME } from "../../oidc/flow";
import { type ApiError, failedPrecondition, invalidArgument, isApiError, notFound } from "../../protocol/api-error";
import { consumeOneTimeToken, findOneTimeToken, insertOneTimeToken } from "../../storage/user/one-time-tokens";
import { keepNewPasskey } from "./passkey";
import { openPasskeyLink } from "./passkey-link";
import { type NewPasskeyWishes, relyingParty, requestNewPasskey } from "./passkey-request";

const PURPOSE = "passkey_enrolment";

interface Waiting {
  sealed: string;
  /** The digest of the link whose code was sent; it is used up by the passkey. */
  link?: string;
}

export interface WantedPasskey extends NewPasskeyWishes {
  /** The code of a link for adding a passkey. */
  code?: string;
  domain?: string;
}

/** Refuses a domain whose pages cannot use passkeys of this service. */
export function checkPasskeyDomain(ctx: Context, domain: string | undefined, field: string): ApiError | undefined {
  const { id } = relyingParty(ctx);
  if (domain === undefined || domain === "" || domain === id) return undefined;
  const words = `Passkeys are those of ${id}; they do not work on pages of another domain.`;
  return invalidArgument("session.other_domain", words, { field });
}

async function personOf(ctx: Context, userId: string): Promise<SignInUser | ApiError> {
  const user = await findUser(ctx, userId);
  if (!user) return noSuchUser();
  return user.mayAuthenticate
    ? user
    : failedPrecondition("user.not_active", "The user is not active. Activate the account first.");
}

/** @returns the id of the request, and the options for the browser */
export async function requestPasskeyOf(
  ctx: Context,
  userId: string,
  { code, domain, ...wishes }: WantedPasskey,
): Promise<{ id: string; publicKey: object } | ApiError> {
  const refusal = checkPasskeyDomain(ctx, domain, "domain");
  if (refusal) return refusal;
  const user = await personOf(ctx, userId);
  if (isApiError(user)) return user;
  const link = code === undefined ? undefined : await openPasskeyLink(ctx, code);
  if (link && ("usedAt" in link || link.user.id !== userId)) {
    return invalidArgument("passkey.wrong_code", "The code was used, has expired, or is another user's.", {
      field: "code.code",
    });
  }
  const { options, sealed } = await requestNewPasskey(ctx, user, wishes);
  const id = newId();
  const now = ctx.clock();
  const payload: Waiting = { sealed, ...(link && { link: link.digest }) };
  const times = { createdAt: now, expiresAt: now + FLOW_LIFETIME };
  const row = { digest: digest(id), purpose: PURPOSE, subjectId: userId, payload: { ...payload }, ...times } as const;
  await ctx.db.transaction((tx) => insertOneTimeToken(tx, row));
  return { id, publicKey: JSON.parse(options) as object };
}

/** Stores the passkey. @returns the recovery codes that come with the first factor */
export async function keepPasskeyOf(
  ctx: OriginContext,
  userId: string,
  made: { id: string; credential: object; name: string | undefined },
): Promise<{ recoveryCodes: readonly string[] | undefined } | ApiError> {
  const user = await personOf(ctx, userId);
  if (isApiError(user)) return user;
  const covered = await listCoveredRoles(ctx, ctx.origin.actor, userId);
  if (isApiError(covered)) return covered;
  const row = await findOneTimeToken<Waiting>(ctx.db, digest(made.id));
  if (row?.purpose !== PURPOSE || row.subjectId !== userId) {
    return notFound("passkey.not_found", "No passkey is being added with this ID. Start again.");
  }
  const { sealed, link } = row.payload;
  const form = { sealed, credential: JSON.stringify(made.credential), cause: ctx.origin, name: made.name };
  const kept = await keepNewPasskey(ctx, user, form, async ({ tx }) => {
    const now = ctx.clock();
    if (ctx.origin.actor !== userId && (await checkNoRoleGiven(tx, userId, covered))) return false;
    if (link !== undefined && !(await consumeOneTimeToken(tx, link, PASSKEY_PURPOSE, now))) return false;
    return consumeOneTimeToken(tx, row.digest, PURPOSE, now);
  });
  if (kept.kind === "added") return { recoveryCodes: kept.recoveryCodes };
  return kept.kind === "too-many"
    ? failedPrecondition("passkey.too_many", "The user has as many passkeys as there can be. Remove one first.")
    : invalidArgument("passkey.refused", "The passkey does not answer the request, or the request was used before.", {
        field: "publicKeyCredential",
      });
}
