/** The common parts of operations on the caller's own account (rule API-13). */
import type { Context } from "../../context";
import { readListedUser } from "../../directory/user/list";
import { isRecentOwner, type Owner, type RecentOwner, tokenOwner } from "../../login/account/owner";
import { type ApiError, isApiError, permissionDenied } from "../../protocol/api-error";
import { type Called, userRefOf } from "./user-ref";

export const OWN_PATH = "/auth/v1/users/me";
export const FRESH =
  "The user must have signed in for the token within the last 15 minutes, with the second factor if there is one.";

/** Operations that every user may call for the own account, and apps that may use the management APIs. */
export const OWN = { tag: "Own account", scope: { level: "caller" } } as const;
/** Operations that require a recent sign-in, because they could give the account to another person. */
export const OWN_RECENT = { ...OWN, description: FRESH, precondition: refuseLate } as const;

/** Returns the caller if they signed in for their token, which machines do not. */
export async function callingOwner(ctx: Context, call: Called): Promise<Owner | ApiError> {
  const person = await readListedUser(ctx, { ...userRefOf(call), kind: "human" });
  if (isApiError(person)) return person;
  return (await tokenOwner(ctx, call.caller)) ?? signInAgain();
}

/**
 * Returns the caller if they signed in for their token recently (rule API-13; ASVS 7.5.1). An app gets such a token
 * with an authorization request with `max_age=900`.
 */
export async function recentOwner(ctx: Context, call: Called): Promise<RecentOwner | ApiError> {
  const owner = await callingOwner(ctx, call);
  if (isApiError(owner)) return owner;
  return isRecentOwner(owner) ? owner : signInAgain();
}

export async function refuseLate(ctx: Context, call: Called): Promise<ApiError | undefined> {
  const owner = await recentOwner(ctx, call);
  return isApiError(owner) ? owner : undefined;
}

const signInAgain = (): ApiError =>
  permissionDenied(
    "account.sign_in_again",
    "This takes a token from a sign-in within the last 15 minutes, with the second factor if there is one. Send the user through an authorization request with max_age=900.",
  );
