/**
 * Second factors that are set up through version 2 of the API, on a page of the caller: an authenticator app, whose key
 * is pending until a code made with it is submitted, so that an app that does not work cannot lock a user out; and
 * codes that are sent to the verified address or number.
 */
import type { Context } from "../../context";
import { digest } from "../../crypto/digest";
import { matchTotp, newTotpSecret, totpUri } from "../../crypto/one-time-password";
import { newId, randomSecret } from "../../crypto/random";
import { type OriginContext, recordIn } from "../../events/record";
import {
  type ApiError,
  alreadyExists,
  failedPrecondition,
  invalidArgument,
  isApiError,
  notFound,
} from "../../protocol/api-error";
import { factorKinds, type SentKind } from "../../protocol/second-factor";
import { listFactors } from "../../storage/factor/second-factors";
import {
  consumeOneTimeToken,
  findValidTokenOf,
  insertOneTimeToken,
  voidOneTimeTokens,
} from "../../storage/user/one-time-tokens";
import type { UserRow } from "../../storage/user/user";
import { onUniqueViolation } from "../change";
import { noSuchUser } from "../not-found";
import { changeUser, type UserRef } from "./change";
import { readListedUser } from "./list";
import { addAuthenticatorAppIn, enableSentCodesIn, removeFactorIn } from "./second-factor";
import { findUser, type SignInUser } from "./user";

const PURPOSE = "app_enrolment";
/** Milliseconds for which a key is pending. */
const ENROL_WITHIN = 30 * 60_000;
const DEFAULT_NAME = "Authenticator app";

/** The data stored with a pending key. */
interface Waiting {
  /** The id of the future factor. */
  id: string;
  sealed: string;
}

export interface AuthenticatorKey {
  /** Base32; shown only once. */
  secret: string;
  /** `otpauth:`, for a QR code. */
  uri: string;
}

/** Makes a key for an authenticator app, which replaces a pending one. */
export async function startAppEnrolment(ctx: OriginContext, ref: UserRef): Promise<AuthenticatorKey | ApiError> {
  const person = await findPersonOf(ctx, ref);
  if (isApiError(person)) return person;
  const secret = newTotpSecret();
  const payload: Waiting = { id: newId(), sealed: ctx.secrets.seal("second-factor", secret) };
  return changeUser(ctx, ref, async (ctx, { id, organizationId }) => {
    await recordIn(ctx, {
      type: "user.second_factor.enrolment_started",
      object: { id, organizationId },
      async state(_, now) {
        await voidOneTimeTokens(ctx.db, ctx.tx, PURPOSE, now, id);
        await insertOneTimeToken(ctx.tx, {
          digest: digest(randomSecret()),
          purpose: PURPOSE,
          subjectId: id,
          payload: { ...payload },
          createdAt: now,
          expiresAt: now + ENROL_WITHIN,
        });
        return { payload: { kind: "totp" } };
      },
    });
    return { secret, uri: totpUri(secret, { issuer: person.organizationName, account: person.loginName }) };
  });
}

/**
 * Adds the app with the pending key, if the code was made with it.
 * @returns recovery codes if it is the user's first factor; they are shown only once
 */
export async function confirmAppEnrolment(
  ctx: OriginContext,
  ref: UserRef,
  { code, name = DEFAULT_NAME }: { code: string; name?: string },
): Promise<{ recoveryCodes: readonly string[] | undefined } | ApiError> {
  const person = await findPersonOf(ctx, ref);
  if (isApiError(person)) return person;
  const row = await findValidTokenOf<Waiting>(ctx.db, PURPOSE, person.id, ctx.clock());
  const secret = row && ctx.secrets.open("second-factor", row.payload.sealed);
  if (!row || secret === undefined) return noKey();
  const timeStep = matchTotp(secret, code, ctx.clock());
  if (timeStep === undefined) {
    return invalidArgument("user.code_wrong", "The code is not correct. Use the one the authenticator app shows now.", {
      field: "code",
    });
  }
  return changeUser(ctx, ref, async (ctx, stored) => {
    if (!(await consumeOneTimeToken(ctx.tx, row.digest, PURPOSE, ctx.clock()))) return noKey();
    const added = await addAuthenticatorAppIn(ctx, stored, { id: row.payload.id, secret, timeStep, name });
    if (added.kind === "added") return { recoveryCodes: added.recoveryCodes };
    return failedPrecondition(
      "credential.too_many",
      "The user has as many authenticator apps as allowed. Remove one first.",
    );
  });
}

/** Removes all authenticator apps of a user. */
export async function removeApps(ctx: OriginContext, ref: UserRef): Promise<undefined | ApiError> {
  const person = await findPersonOf(ctx, ref);
  if (isApiError(person)) return person;
  const apps = (await listFactors(ctx.db, person.id)).filter(({ kind }) => kind === "totp");
  return changeUser(ctx, ref, async (ctx, stored) => {
    let removed = 0;
    for (const { id } of apps) removed += Number(await removeFactorIn(ctx, stored, id));
    return removed > 0 ? undefined : notFound("credential.not_found", "The user has no authenticator app.");
  });
}

/** Enables codes that are sent at sign-in, to the verified address or number. */
export async function enableCodes(ctx: OriginContext, ref: UserRef, kind: SentKind): Promise<undefined | ApiError> {
  const taken = () => alreadyExists("credential.already_exists", "The user has this second factor already.");
  return onUniqueViolation(taken, () =>
    changeUser(ctx, { ...ref, kind: "human" }, async (ctx, stored) => {
      const refusal = UNREACHABLE[factorKinds[kind].sentTo](stored);
      if (refusal) return refusal;
      await enableSentCodesIn(ctx, stored, kind);
      return undefined;
    }),
  );
}

/** For each contact, returns an error if no code can be sent to it. */
const UNREACHABLE: Readonly<
  Record<(typeof factorKinds)[SentKind]["sentTo"], (stored: UserRow) => ApiError | undefined>
> = {
  email: ({ email, isEmailVerified }) =>
    email !== null && isEmailVerified
      ? undefined
      : failedPrecondition("user.email_unverified", "The user has no verified email address. Verify one first."),
  phone: ({ phone, isPhoneVerified }) =>
    phone !== null && isPhoneVerified
      ? undefined
      : failedPrecondition("user.phone_unverified", "The user has no verified phone number. Verify one first."),
};

async function findPersonOf(ctx: Context, ref: UserRef): Promise<SignInUser | ApiError> {
  const listed = await readListedUser(ctx, { ...ref, kind: "human" });
  if (isApiError(listed)) return listed;
  return (await findUser(ctx, listed.id)) ?? noSuchUser();
}

const noKey = () =>
  failedPrecondition("user.code_dead", "The user has not begun to set up an authenticator app. Start again.");
