/**
 * Secrets of apps. Several can be valid at once, so that an app can change its secret without an interruption; the time
 * of last use shows whether the old one can be removed. A secret can expire, which an event announces before. Only
 * digests are stored (RFC 6749 §10.1).
 */
import type { Context } from "../../context";
import { digest } from "../../crypto/digest";
import { newId, randomSecret } from "../../crypto/random";
import { asSystem, type ChangeContext, type OriginContext, record, recordIn, UNCHANGED } from "../../events/record";
import { type ApiError, failedPrecondition, isApiError, notFound } from "../../protocol/api-error";
import type { ClientSecret } from "../../protocol/client";
import {
  type AppSecretRow,
  deleteAppSecret,
  insertAppSecret,
  listEndingSecrets,
  markSecretReminded,
  markSecretUsed,
  readAppSecrets,
} from "../../storage/app/credentials";
import { type AppRef, changeInApp, reduceInApp, wrongAppKind } from "./change";

/** The maximum number of secrets of an app. */
export const MAX_SECRETS = 5;

/** Returns whether an app with these settings authenticates with a secret, which is the default. */
export function usesSecret({ authMethodType = "OIDC_AUTH_METHOD_TYPE_BASIC" }: { authMethodType?: string }): boolean {
  return /_(?:BASIC|POST)$/.test(authMethodType);
}

/** The fields of an app that its events need. */
export interface OwnedApp {
  id: string;
  /** The organization of its project. */
  organizationId: string;
}

/**
 * Adds another secret.
 * @param secret.expiresAt epoch milliseconds; undefined if it does not expire
 * @returns its id
 */
export async function addAppSecret(
  ctx: ChangeContext,
  app: OwnedApp,
  { secret, expiresAt }: { secret: string; expiresAt?: number },
): Promise<string> {
  const id = newId();
  await recordIn(ctx, {
    type: "app.secret.set",
    object: app,
    async state(_, now) {
      const row = { id, appId: app.id, digest: digest(secret), createdAt: now };
      await insertAppSecret(ctx.tx, { ...row, expiresAt: expiresAt ?? null });
      return { payload: { secretId: id, ...(expiresAt !== undefined && { expiresAt: isoTime(expiresAt) }) } };
    },
  });
  return id;
}

/** How long before its end a secret is announced: two weeks, in milliseconds. */
export const SECRET_NOTICE = 14 * 86_400_000;
/** Secrets that one run announces; the next run continues. */
const REMINDERS_IN_A_RUN = 100;

/** Records an event for each secret that expires soon, once, so that its app gets another one in time. */
export async function announceEndingSecrets(ctx: Context): Promise<void> {
  const now = ctx.clock();
  const range = { now, until: now + SECRET_NOTICE, limit: REMINDERS_IN_A_RUN };
  for (const { id, appId, expiresAt, organizationId } of await listEndingSecrets(ctx.db, range)) {
    await record(asSystem(ctx), {
      type: "app.secret.expiring",
      object: { id: appId, organizationId },
      async state({ tx }) {
        if (!(await markSecretReminded(tx, id, now))) return UNCHANGED; // another process has announced it
        return { payload: { secretId: id, expiresAt: isoTime(expiresAt ?? now) } };
      },
    });
  }
}

const isoTime = (at: number): string => new Date(at).toISOString();

export async function removeAppSecret(
  ctx: ChangeContext,
  app: OwnedApp,
  stored: Pick<AppSecretRow, "id">,
): Promise<void> {
  await recordIn(ctx, {
    type: "app.secret.removed",
    object: app,
    async state() {
      await deleteAppSecret(ctx.tx, stored.id);
      return { payload: { secretId: stored.id } };
    },
  });
}

/** Milliseconds. The precision of "last used", so that not every request causes a write. */
const NOTED_EVERY = 3_600_000;
const notedAt = new WeakMap<Context["db"], Map<string, number>>();

/** Records in the background that a secret was used, at most once an hour. */
export function noteSecretUse(ctx: Context, { id, usedAt }: ClientSecret): void {
  const noted = notedAt.get(ctx.db) ?? new Map<string, number>();
  notedAt.set(ctx.db, noted);
  const now = ctx.clock();
  if (now - Math.max(usedAt ?? 0, noted.get(id) ?? 0) < NOTED_EVERY) return;
  noted.set(id, now);
  markSecretUsed(ctx.db, id, now, now - NOTED_EVERY).catch((error: unknown) => {
    ctx.log.warn({ err: error, secretId: id }, "the use of a client secret could not be noted");
  });
}

export interface WantedSecret {
  kind: "oidc" | "api";
  /** Whether the existing secrets stay valid. */
  keepOthers: boolean;
  /** Epoch milliseconds; undefined if it does not expire. */
  expiresAt?: number;
}

/**
 * Makes a secret for an app.
 * @returns the secret in plain text; only its digest is stored
 */
export async function makeAppSecret(
  ctx: OriginContext,
  ref: AppRef,
  { kind, keepOthers, expiresAt }: WantedSecret,
): Promise<{ clientSecret: string; secretId: string } | ApiError> {
  if (expiresAt !== undefined && expiresAt <= ctx.clock()) {
    return failedPrecondition(
      "app.secret_expired",
      "The secret would have expired already. Choose a time in the future.",
      {
        field: "expiresAt",
      },
    );
  }
  const clientSecret = randomSecret();
  const secretId = await changeInApp(ctx, ref, async (ctx, stored, { organizationId }) => {
    if (stored.kind !== kind) return wrongAppKind(kind);
    if (!usesSecret(stored.settings as { authMethodType?: string })) {
      return failedPrecondition(
        "app.no_secret_method",
        "This app does not authenticate with a secret. Change its authentication method first.",
      );
    }
    const owned = { id: stored.id, organizationId };
    const others = await readAppSecrets(ctx.tx, stored.id);
    if (!keepOthers) {
      for (const other of others) await removeAppSecret(ctx, owned, other);
    } else if (others.length >= MAX_SECRETS) {
      return failedPrecondition("app.too_many_secrets", `An app has ${MAX_SECRETS} secrets at most: remove one.`);
    }
    return addAppSecret(ctx, owned, { secret: clientSecret, expiresAt });
  });
  return isApiError(secretId) ? secretId : { clientSecret, secretId };
}

export function removeSecretOfApp(ctx: OriginContext, ref: AppRef, secretId: string): Promise<undefined | ApiError> {
  return reduceInApp(ctx, ref, async (ctx, { id: appId }, { organizationId }) => {
    const secret = (await readAppSecrets(ctx.tx, appId)).find(({ id }) => id === secretId);
    if (!secret) return notFound("app.secret_not_found", "The app has no such secret.");
    await removeAppSecret(ctx, { id: appId, organizationId }, secret);
    return undefined;
  });
}
