/**
 * Finds contradictions within a bootstrap file: duplicate names, references and incompatible settings. Pure;
 * contradictions to the database are found when the file is applied.
 */

import type { Config } from "../config/config";
import { findWrongAddresses } from "../directory/app/addresses";
import { oidcClient } from "../directory/app/client";
import type { OidcSettings } from "../directory/app/settings";
import { comparableLoginName } from "../directory/names";
import { whyReserved } from "../directory/reserved-names";
import { reason } from "../protocol/reason";
import { isFrontChannel, returnsCode } from "../protocol/response-type";
import { findUnknownLanguages } from "./languages";
import type { Mistake } from "./mistakes";
import type { AppEntry, BootstrapFile, LoginTextEntry, MessageTextEntry, OrganizationEntry } from "./schema";
import { findWrongTexts } from "./texts";

/** Remembers where a name was first used. */
function onlyOnce(found: Mistake[]) {
  const places = new Map<string, string>();
  return (what: string, name: string | undefined, path: string): void => {
    if (name === undefined) return;
    const key = `${what}\n${name}`;
    const first = places.get(key);
    if (first === undefined) places.set(key, path);
    else found.push({ path, reason: reason("same_as", { place: first }) });
  };
}

type Once = ReturnType<typeof onlyOnce>;

/** Returns the first contradiction at each path, in the order of the file: a name may be duplicate for two reasons. */
export function findContradictions(file: BootstrapFile): Mistake[] {
  const found: Mistake[] = [];
  const once = onlyOnce(found);
  found.push(...findUnknownLanguages(file), ...findForeignNames(file), ...findSharedClientIds(file));
  checkTexts(file.instance?.messageTexts ?? [], "instance", once, found);
  checkLoginTexts(file.instance?.loginTexts ?? [], "instance", once);
  checkProviders(file.instance ?? {}, "instance", once);
  checkIdentityProviders(file.instance?.identityProviders, "instance", once);
  for (const [index, organization] of (file.organizations ?? []).entries()) {
    checkOrganization(organization, `organizations[${index}]`, once, found);
  }
  const places = new Set<string>();
  return found.filter(({ path }) => !places.has(path) && places.add(path));
}

interface Provider {
  description: string;
  active?: boolean;
}

function checkProviders(
  {
    smsProviders = [],
    emailProviders = [],
  }: { smsProviders?: readonly Provider[]; emailProviders?: readonly Provider[] },
  path: string,
  once: Once,
): void {
  for (const [name, providers] of Object.entries({ smsProviders, emailProviders })) {
    for (const [index, { description, active }] of providers.entries()) {
      const at = `${path}.${name}[${index}]`;
      once(`${name} of ${path}`, description, `${at}.description`);
      if (active) once(`active one of ${name} of ${path}`, "", `${at}.active`);
    }
  }
}

function checkIdentityProviders(providers: readonly { name: string }[] = [], path: string, once: Once): void {
  for (const [index, { name }] of providers.entries()) {
    once(`identity provider of ${path}`, name, `${path}.identityProviders[${index}].name`);
  }
}

function checkOrganization(organization: OrganizationEntry, path: string, once: Once, found: Mistake[]): void {
  once("organization id", organization.id, `${path}.id`);
  // Without an id an organization is identified by its name.
  if (organization.id === undefined) once("organization name", organization.name, `${path}.name`);
  if (organization.default) once("default organization", "", `${path}.default`);
  checkProviders(organization, path, once);
  checkIdentityProviders(organization.identityProviders, path, once);
  checkDomains(organization, path, once, found);
  checkUsers(organization, path, once, found);
  for (const [index, project] of (organization.projects ?? []).entries()) {
    const at = `${path}.projects[${index}]`;
    once("project id", project.id, `${at}.id`);
    found.push(...reserved(project.id, `${at}.id`));
    if (project.id === undefined) once(`project name ${path}`, project.name, `${at}.name`);
    for (const [number, { roleKey }] of (project.roles ?? []).entries()) {
      once(`role of ${at}`, roleKey, `${at}.roles[${number}].roleKey`);
    }
    for (const [number, { userId, loginName }] of (project.userGrants ?? []).entries()) {
      const grant = `${at}.userGrants[${number}]`;
      once(`user with roles of ${at}`, userId ?? comparableLoginName(loginName ?? ""), grant);
    }
    for (const [number, { grantedOrgId }] of (project.grants ?? []).entries()) {
      once(`grant of ${at}`, grantedOrgId, `${at}.grants[${number}].grantedOrgId`);
    }
    for (const [number, app] of (project.apps ?? []).entries()) checkApp(app, at, `${at}.apps[${number}]`, once, found);
  }
  checkTexts(organization.messageTexts ?? [], path, once, found);
  checkLoginTexts(organization.loginTexts ?? [], path, once);
}

function checkDomains({ domains = [] }: OrganizationEntry, path: string, once: Once, found: Mistake[]): void {
  for (const [index, { domain, verified, primary }] of domains.entries()) {
    const at = `${path}.domains[${index}]`;
    once(`domain of ${path}`, domain, `${at}.domain`);
    if (verified) once("verified domain", domain, `${at}.domain`);
    if (!primary) continue;
    once(`primary domain of ${path}`, "", `${at}.primary`);
    if (!verified) found.push({ path: `${at}.primary`, reason: reason("primary_unverified") });
  }
}

function checkUsers(
  { users = [], machines = [] }: OrganizationEntry,
  path: string,
  once: Once,
  found: Mistake[],
): void {
  const lists = { users, machines };
  for (const list of ["users", "machines"] as const) {
    for (const [index, user] of lists[list].entries()) {
      const at = `${path}.${list}[${index}]`;
      const key = comparableLoginName(user.userName);
      once("user id", user.id, `${at}.id`);
      // A user name with @ is already a login name, which is unique in the whole service.
      once(user.userName.includes("@") ? "login name" : `user name of ${path}`, key, `${at}.userName`);
      for (const [number, role] of (user.roles ?? []).entries()) once(`role of ${at}`, role, `${at}.roles[${number}]`);
    }
  }
  for (const [index, machine] of machines.entries()) {
    const at = `${path}.machines[${index}]`;
    found.push(...reserved(machine.userName, `${at}.userName`));
    found.push(...checkAddresses({ jwksUri: machine.jwksUri, devMode: true }, at));
    for (const [number, { keyId }] of (machine.keys ?? []).entries())
      once(`key of ${at}`, keyId, `${at}.keys[${number}].keyId`);
  }
}

/** Rejects the service's own identifiers, as tokens for them are accepted by its APIs or its console. */
function reserved(name: string | undefined, path: string): Mistake[] {
  const refused = name === undefined ? undefined : whyReserved(name);
  return refused === undefined ? [] : [{ path, reason: refused }];
}

/** Finds login names under a domain that another organization has verified, which reserves them. */
function findForeignNames({ organizations = [] }: BootstrapFile): Mistake[] {
  const owners = new Map<string, number>();
  for (const [index, { domains = [] }] of organizations.entries()) {
    for (const { domain, verified } of domains) if (verified) owners.set(domain, index);
  }
  return organizations.flatMap((organization, index) =>
    (["users", "machines"] as const).flatMap((list) =>
      (organization[list] ?? []).flatMap(({ userName }, number) => {
        const domain = domainOf(userName);
        const owner = domain === undefined ? undefined : owners.get(domain);
        if (domain === undefined || owner === undefined || owner === index) return [];
        const path = `organizations[${index}].${list}[${number}].userName`;
        return [{ path, reason: reason("foreign_domain", { domain, place: `organizations[${owner}]` }) }];
      }),
    ),
  );
}

/**
 * Finds client ids shared by an app and a machine: a machine's client id is its user name. Machines of two
 * organizations may share one.
 */
function findSharedClientIds({ organizations = [] }: BootstrapFile): Mistake[] {
  const machineNames = new Map<string, string>();
  for (const [index, { machines = [] }] of organizations.entries()) {
    for (const [number, { userName }] of machines.entries()) {
      const key = comparableLoginName(userName);
      if (!machineNames.has(key)) machineNames.set(key, `organizations[${index}].machines[${number}].userName`);
    }
  }
  return organizations.flatMap(({ projects = [] }, index) =>
    projects.flatMap(({ apps = [] }, place) =>
      apps.flatMap(({ oidc, api }, number) => {
        const { clientId } = oidc ?? api ?? {};
        const machine = clientId === undefined ? undefined : machineNames.get(comparableLoginName(clientId));
        const at = `organizations[${index}].projects[${place}].apps[${number}].${oidc ? "oidc" : "api"}.clientId`;
        return machine === undefined ? [] : [{ path: at, reason: reason("same_as", { place: machine }) }];
      }),
    ),
  );
}

/** Returns the domain, in comparable form, of a user name that is already a login name. */
export function domainOf(userName: string): string | undefined {
  const key = comparableLoginName(userName);
  return key.includes("@") ? key.slice(key.lastIndexOf("@") + 1) : undefined;
}

function checkApp(app: AppEntry, project: string, path: string, once: Once, found: Mistake[]): void {
  const [kind, given] = app.oidc ? (["oidc", app.oidc] as const) : (["api", app.api ?? {}] as const);
  once("app id", app.id, `${path}.id`);
  once("client id", given.clientId, `${path}.${kind}.clientId`);
  found.push(...reserved(given.clientId, `${path}.${kind}.clientId`));
  if (app.id === undefined && given.clientId === undefined) once(`app name of ${project}`, app.name, `${path}.name`);
  const asOidc = app.oidc ?? { jwksUri: app.api?.jwksUri, devMode: true };
  found.push(...checkAddresses(asOidc, `${path}.${kind}`));
  for (const [index, { keyId }] of (given.keys ?? []).entries())
    once(`key of ${path}`, keyId, `${path}.${kind}.keys[${index}].keyId`);
  const kids = onlyOnce(found);
  for (const [index, { kid }] of (given.jwks?.keys ?? []).entries()) {
    kids("kid", typeof kid === "string" ? kid : undefined, `${path}.${kind}.jwks.keys[${index}].kid`);
  }
}

/** Returns forbidden URIs of an app, with their path in the file. */
export function checkAddresses(settings: OidcSettings, path: string, service?: Pick<Config, "baseUrl">): Mistake[] {
  return findWrongAddresses(settings, service).map(({ field, reason }) => ({ path: `${path}.${field}`, reason }));
}

function checkTexts(texts: readonly MessageTextEntry[], owner: string, once: Once, found: Mistake[]): void {
  for (const [index, { type, language }] of texts.entries()) {
    once(`text of ${owner}`, `${type} ${language}`, `${owner}.messageTexts[${index}]`);
  }
  found.push(...findWrongTexts(texts, owner));
}

function checkLoginTexts(texts: readonly LoginTextEntry[], owner: string, once: Once): void {
  for (const [index, { language }] of texts.entries()) {
    once(`words of ${owner}`, language, `${owner}.loginTexts[${index}]`);
  }
}

/**
 * Finds settings that work but are probably a mistake: they are logged and not rejected, as settings may be completed
 * elsewhere.
 */
export function findOddities(app: AppEntry, path: string): Mistake[] {
  const given = app.oidc ?? app.api;
  const method = given?.authMethodType ?? (app.oidc ? "OIDC_AUTH_METHOD_TYPE_BASIC" : "API_AUTH_METHOD_TYPE_BASIC");
  const odd: Mistake[] = [];
  const add = (reason: string) => odd.push({ path, reason });
  if (/NONE|PRIVATE_KEY_JWT|TLS_CLIENT_AUTH/.test(method) && given?.clientSecret !== undefined)
    add(`a clientSecret is not used with ${method}`);
  if (method.endsWith("PRIVATE_KEY_JWT") && !given?.jwks?.keys.length && !given?.keys?.length && !given?.jwksUri)
    add(`${method} needs a key in jwks`);
  if (!app.oidc) return odd;
  const { grantTypes, responseTypes, redirectUris } = oidcClient(app.oidc);
  const sendsBrowsers = grantTypes.includes("authorization_code") || grantTypes.includes("implicit");
  if (sendsBrowsers && redirectUris.length === 0) add("no redirectUris: nobody can sign in to this app");
  if (responseTypes.some(returnsCode) && !grantTypes.includes("authorization_code") && app.oidc.responseTypes) {
    add("OIDC_RESPONSE_TYPE_CODE without OIDC_GRANT_TYPE_AUTHORIZATION_CODE");
  }
  if (responseTypes.some(isFrontChannel) && !grantTypes.includes("implicit")) {
    add("OIDC_RESPONSE_TYPE_ID_TOKEN without OIDC_GRANT_TYPE_IMPLICIT");
  }
  return odd;
}
