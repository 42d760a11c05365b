/**
 * The password hook of an organization: the address in another system that says whether a password is right, for users
 * whose password is still there. Its requests are signed with a key that is shown once (Standard Webhooks 1.0).
 */
import type { Context } from "../../context";
import { nameElsewhere } from "../../crypto/elsewhere";
import { type ChangeContext, type Details, type OriginContext, recordIn } from "../../events/record";
import { type ApiError, fieldProblem, invalidArgument, isApiError, notFound } from "../../protocol/api-error";
import { lockOrganization } from "../../storage/organization/organization";
import {
  deletePasswordHookRow,
  findPasswordHookRow,
  readPasswordHookRow,
  writePasswordHookRow,
} from "../../storage/organization/password-hook";
import { createCache } from "../cache";
import { changeDirectory } from "../change";
import { answerableFor } from "../member/answerable";
import { checkPrivilegesOverAll, type OrganizationSetting } from "../member/privileges";
import { noSuchOrganization } from "../not-found";
import { newSigningKey, whyNotCalled } from "../provider/webhook";

export interface PasswordHook extends OrganizationSetting {
  endpoint: string;
  /** `whsec_` and base64; undefined if the key that sealed it is lost. */
  signingKey: string | undefined;
}

const cached = createCache<{ hook: PasswordHook | null }>("passwordHooks", (organizationId) => [organizationId]);

/** Returns the hook of an organization; the result can be up to five seconds old. */
export async function findPasswordHook(ctx: Context, organizationId: string): Promise<PasswordHook | undefined> {
  const found = await cached.get(ctx, organizationId, async () => {
    const row = await findPasswordHookRow(ctx.db, organizationId);
    if (!row) return { hook: null };
    const { endpoint, sealedKey, changedBy } = row;
    return { hook: { organizationId, endpoint, signingKey: ctx.secrets.open("mail", sealedKey), changedBy } };
  });
  return found?.hook ?? undefined;
}

/**
 * Whether there is a password that can be checked.
 * @param hook the hook of the user's organization
 */
export const isCheckable = (passwordHash: string | null, hook: PasswordHook | undefined): boolean =>
  passwordHash !== null && (hook !== undefined || nameElsewhere(passwordHash) === undefined);

export const noPasswordHook = (): ApiError =>
  notFound("password_hook.not_found", "The organization has no password hook.");

export interface NewPasswordHook {
  endpoint: string;
  /** Makes a new key although there is one that works. */
  renewSigningKey?: boolean;
}

/**
 * Sets the hook. Its operator can sign in as users whose password is elsewhere, so the caller needs the permissions of
 * all users.
 * @returns with a new signing key, which is shown only this time
 */
export async function setPasswordHook(
  ctx: OriginContext,
  organizationId: string,
  { endpoint, renewSigningKey = false }: NewPasswordHook,
): Promise<{ details: Details; signingKey?: string } | ApiError> {
  const refusal = await checkPrivilegesOverAll(ctx, ctx.origin.actor, organizationId);
  if (refusal) return refusal;
  return changeDirectory(ctx, async (ctx) => {
    const stored = await readPasswordHookRow(ctx.tx, organizationId);
    const isKept = !renewSigningKey && stored && ctx.secrets.open("mail", stored.sealedKey) !== undefined;
    const signingKey = isKept ? undefined : newSigningKey();
    const details = await setPasswordHookIn(ctx, organizationId, { endpoint, signingKey });
    return isApiError(details) ? details : { details, signingKey };
  });
}

/** @param wanted.signingKey undefined to keep the stored key */
export async function setPasswordHookIn(
  ctx: ChangeContext,
  id: string,
  { endpoint, signingKey }: { endpoint: string; signingKey?: string },
): Promise<Details | ApiError> {
  const why = whyNotCalled(ctx, endpoint);
  if (why) {
    const { id: slug, message, ...problem } = fieldProblem("password_hook.invalid", "endpoint", why);
    return invalidArgument(slug, message, problem);
  }
  if (!(await lockOrganization(ctx.db, ctx.tx, id))) return noSuchOrganization();
  const sealedKey = signingKey
    ? ctx.secrets.seal("mail", signingKey)
    : ((await readPasswordHookRow(ctx.tx, id))?.sealedKey ?? "");
  return recordIn(ctx, {
    type: "organization.password_hook.set",
    object: { id, organizationId: id },
    async state(_, now) {
      const changedBy = await answerableFor(ctx);
      await writePasswordHookRow(ctx.tx, { id, endpoint, sealedKey, changedBy }, now);
      return { payload: { endpoint } };
    },
  });
}

/** Removes the hook: users whose password is elsewhere choose a new one by email. */
export function removePasswordHook(ctx: OriginContext, id: string): Promise<Details | ApiError> {
  return changeDirectory(ctx, async (ctx) => {
    const stored = await readPasswordHookRow(ctx.tx, id);
    if (!stored) return noPasswordHook();
    return recordIn(ctx, {
      type: "organization.password_hook.removed",
      object: { id, organizationId: id },
      async state() {
        await deletePasswordHookRow(ctx.tx, id);
        return { payload: { endpoint: stored.endpoint } };
      },
    });
  });
}
