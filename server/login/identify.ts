/**
 * Finds out who a typed name means: the users that may have it, and what it would be for a user that does not exist.
 * The latter is derived from the text and the sign-in only and makes no query about users, so everything that depends
 * on it is the same for existing and unknown users (ASVS 6.3.8).
 */
import type { Context } from "../context";
import { findInstance } from "../directory/instance";
import { comparableLoginName, loginName } from "../directory/names";
import { findPolicy } from "../directory/policy/policies";
import { findPeopleForSignIn, type SignInUser } from "../directory/user/user";
import { requiredOrganization } from "../oidc/app-access";
import { type SignInFlow, scopeOf } from "../oidc/flow";
import type { Client } from "../protocol/client";
import { isError } from "../protocol/oauth-error";
import { findDomainOwner, findPrimaryDomain } from "../storage/organization/organization";
import { MAX_LOGIN_NAME_LENGTH } from "./attempt";
import { nameScopeOf } from "./continue-flow";

/** The complete login name, and the organization that such a user would belong to. */
export interface ResolvedName {
  /** The name in comparable form. */
  loginName: string;
  /** Undefined if no organization has the domain: the instance's policies then apply. */
  organizationId: string | undefined;
}

/**
 * Resolves a name without looking for users.
 * @param required the organization that the sign-in is restricted to, if any
 */
export async function resolveName(ctx: Context, typed: string, required: string | undefined): Promise<ResolvedName> {
  const name = comparableLoginName(typed.slice(0, MAX_LOGIN_NAME_LENGTH)).replaceAll("\0", "");
  if (name.includes("@")) {
    const owner = await findDomainOwner(ctx.db, name.slice(name.lastIndexOf("@") + 1));
    return { loginName: name, organizationId: required ?? owner };
  }
  const organizationId = required ?? (await findInstance(ctx)).defaultOrganizationId ?? undefined;
  const domain = organizationId === undefined ? undefined : await findPrimaryDomain(ctx.db, organizationId);
  return { loginName: domain === undefined ? name : loginName(name, domain), organizationId };
}

/** Resolves a name in a flow, which may be restricted to an organization. */
export async function resolveNameInFlow(ctx: Context, typed: string, flow: SignInFlow): Promise<ResolvedName> {
  const required = await requiredOrganization(ctx, scopeOf(flow));
  return resolveName(ctx, typed, isError(required) ? undefined : required);
}

export interface Identified {
  /** The users that can have the name, best first. */
  users: readonly SignInUser[];
  name: ResolvedName;
}

/**
 * Returns the users that can sign in with a name in this flow, and what the name is without them.
 * @param isPossible whether a user with this name and password can exist; if not, none is looked up
 * @param userId the only user who is looked for, if known
 * @returns undefined if the flow is restricted to an organization that is no longer there
 */
export async function identify(
  ctx: Context,
  flow: SignInFlow,
  application: Client | undefined,
  { loginName, isPossible, userId }: { loginName: string; isPossible: boolean; userId?: string },
): Promise<Identified | undefined> {
  const scope = await nameScopeOf(ctx, flow, application);
  if (!scope) return undefined;
  const found = isPossible ? await findPeopleForSignIn(ctx, loginName, scope) : [];
  const named = await Promise.all(found.map((user) => mayBeNamed(ctx, user, loginName)));
  const users = found.filter(({ id }, index) => named[index] && (userId === undefined || id === userId));
  return { users, name: await resolveName(ctx, loginName, scope.organizationId) };
}

/** Returns whether the policy of a user's organization accepts a name that may only be the verified email address. */
async function mayBeNamed(ctx: Context, user: SignInUser, typed: string): Promise<boolean> {
  const { disableLoginWithEmail } = await findPolicy(ctx, "login", user.organizationId);
  if (!disableLoginWithEmail) return true;
  const key = comparableLoginName(typed);
  return [user.loginName, user.userName].some((name) => comparableLoginName(name) === key);
}
