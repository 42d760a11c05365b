/**
 * The meaning of a typed name: the complete login name, and the organization that such a user would belong to. It is
 * derived from the text and the sign-in only and makes no query about users, so everything that depends on it is the
 * same for existing and unknown users (ASVS 6.3.8).
 */
import type { Context } from "../context";
import { findInstance } from "../directory/instance";
import { comparableLoginName, loginName } from "../directory/names";
import { requiredOrganization } from "../oidc/admission";
import { type SignInFlow, scopeOf } from "../oidc/flow";
import { isError } from "../protocol/oauth-error";
import { findDomainOwner, findPrimaryDomain } from "../storage/organization/organization";
import { MAX_LOGIN_NAME_LENGTH } from "./attempt";

export interface MeantName {
  /** The name in comparable form. */
  loginName: string;
  /** Undefined if no organization has the domain: the instance's policies then apply. */
  organizationId: string | undefined;
}

/**
 * Returns the meaning of a name.
 * @param required the organization that the sign-in is restricted to, if any
 */
export async function meantName(ctx: Context, typed: string, required: string | undefined): Promise<MeantName> {
  const name = comparableLoginName(typed.slice(0, MAX_LOGIN_NAME_LENGTH)).replaceAll("\0", "");
  if (name.includes("@")) {
    const owner = await findDomainOwner(ctx.db, name.slice(name.lastIndexOf("@") + 1));
    return { loginName: name, organizationId: required ?? owner };
  }
  const organizationId = required ?? (await findInstance(ctx)).defaultOrganizationId ?? undefined;
  const domain = organizationId === undefined ? undefined : await findPrimaryDomain(ctx.db, organizationId);
  return { loginName: domain === undefined ? name : loginName(name, domain), organizationId };
}

/** Returns the meaning of a name in a flow, which may be restricted to an organization. */
export async function meantInFlow(ctx: Context, typed: string, flow: SignInFlow): Promise<MeantName> {
  const required = await requiredOrganization(ctx, scopeOf(flow));
  return meantName(ctx, typed, isError(required) ? undefined : required);
}
