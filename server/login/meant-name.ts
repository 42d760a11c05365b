/**
 * What a typed name would mean if it were somebody's: the whole login name, and the organization such a person would
 * belong to. It is made from the text and the sign-in alone and asks nothing about people, so whatever depends on it
 * is the same for people and for nobody (ASVS 6.3.8).
 */
import type { Context } from "../context";
import { findInstance } from "../directory/instance";
import { comparableLoginName, loginName } from "../directory/names";
import { requiredOrganization } from "../oidc/admission";
import { type SignInFlow, scopeOf } from "../oidc/flow";
import { isError } from "../protocol/oauth-error";
import { findDomainOwner, findPrimaryDomain } from "../storage/organizations";
import { MAX_LOGIN_NAME_LENGTH } from "./attempt";

export interface MeantName {
  /** Comparable. */
  loginName: string;
  /** Undefined if no organization has the domain: then the instance's policies hold. */
  organizationId: string | undefined;
}

/** @param required the organization the sign-in is restricted to, if it is */
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

/** The same in a flow, which may be restricted to an organization. */
export async function meantInFlow(ctx: Context, typed: string, flow: SignInFlow): Promise<MeantName> {
  const required = await requiredOrganization(ctx, scopeOf(flow));
  return meantName(ctx, typed, isError(required) ? undefined : required);
}
