/**
 * What a bootstrap file contradicts itself in: names given twice, references and settings that do not fit together.
 * Pure: what contradicts the database is found when it is applied.
 */
import { findWrongAddresses } from "../directory/app/addresses";
import { oidcClient } from "../directory/app/client";
import { RESERVED_NAMES } from "../directory/app/console-client";
import type { OidcSettings } from "../directory/app/settings";
import { comparable, comparableLoginName } from "../directory/names";
import type { Mistake } from "./mistakes";
import type { AppEntry, BootstrapFile, MessageTextEntry, OrganizationEntry } from "./schema";
import { findWrongTexts } from "./texts";

/** Remembers where a name was first given. */
function onlyOnce(found: Mistake[]) {
  const places = new Map<string, string>();
  return (what: string, name: string | undefined, path: string): void => {
    if (name === undefined) return;
    const key = `${what}\n${name}`;
    const first = places.get(key);
    if (first === undefined) places.set(key, path);
    else found.push({ path, reason: `is the same as ${first}` });
  };
}

type Once = ReturnType<typeof onlyOnce>;

/** All contradictions in the order of the file. */
export function findContradictions(file: BootstrapFile): Mistake[] {
  const found: Mistake[] = [];
  const once = onlyOnce(found);
  found.push(...findForeignNames(file));
  checkTexts(file.instance?.messageTexts ?? [], "instance", once, found);
  for (const [index, organization] of (file.organizations ?? []).entries()) {
    checkOrganization(organization, `organizations[${index}]`, once, found);
  }
  return found;
}

function checkOrganization(organization: OrganizationEntry, path: string, once: Once, found: Mistake[]): void {
  once("organization id", organization.id, `${path}.id`);
  // Without an id the name is what an organization is known by.
  if (organization.id === undefined) once("organization name", organization.name, `${path}.name`);
  if (organization.default) once("default organization", "", `${path}.default`);
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
    for (const [number, app] of (project.apps ?? []).entries()) checkApp(app, at, `${at}.apps[${number}]`, once, found);
  }
  checkTexts(organization.messageTexts ?? [], path, once, found);
}

function checkDomains({ domains = [] }: OrganizationEntry, path: string, once: Once, found: Mistake[]): void {
  for (const [index, { domain, verified, primary }] of domains.entries()) {
    const at = `${path}.domains[${index}]`;
    once(`domain of ${path}`, domain, `${at}.domain`);
    if (verified) once("verified domain", domain, `${at}.domain`);
    if (!primary) continue;
    once(`primary domain of ${path}`, "", `${at}.primary`);
    if (!verified)
      found.push({ path: `${at}.primary`, reason: `the primary domain must be verified, too: "verified": true` });
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
      // A user name with @ is a login name by itself, unique in the whole service.
      once(user.userName.includes("@") ? "login name" : `user name of ${path}`, key, `${at}.userName`);
      for (const [number, role] of (user.roles ?? []).entries()) once(`role of ${at}`, role, `${at}.roles[${number}]`);
    }
  }
  for (const [index, machine] of machines.entries()) {
    const at = `${path}.machines[${index}]`;
    // A machine's client id is its user name: an app of that name could not be told from it.
    once("client id", comparable(machine.userName), `${at}.userName`);
    found.push(...reserved(comparable(machine.userName), `${at}.userName`));
    for (const [number, { keyId }] of (machine.keys ?? []).entries())
      once(`key of ${at}`, keyId, `${at}.keys[${number}].keyId`);
  }
}

/** What would make its tokens ones for this service's own APIs or its console. */
function reserved(name: string | undefined, path: string): Mistake[] {
  const reason = name === undefined ? undefined : RESERVED_NAMES.get(name);
  return reason === undefined ? [] : [{ path, reason }];
}

/** Whoever has a domain verified decides alone on the login names of people that end in it. */
function findForeignNames({ organizations = [] }: BootstrapFile): Mistake[] {
  const owners = new Map<string, number>();
  for (const [index, { domains = [] }] of organizations.entries()) {
    for (const { domain, verified } of domains) if (verified) owners.set(domain, index);
  }
  return organizations.flatMap(({ users = [] }, index) =>
    users.flatMap(({ userName }, number) => {
      const domain = domainOf(userName);
      const owner = domain === undefined ? undefined : owners.get(domain);
      if (owner === undefined || owner === index) return [];
      const reason = `ends in ${domain}, which is a verified domain of organizations[${owner}]`;
      return [{ path: `organizations[${index}].users[${number}].userName`, reason }];
    }),
  );
}

/** The comparable domain of a user name that is a login name by itself. */
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
  if (app.oidc) found.push(...checkAddresses(app.oidc, `${path}.oidc`));
  for (const [index, { keyId }] of (given.keys ?? []).entries())
    once(`key of ${path}`, keyId, `${path}.${kind}.keys[${index}].keyId`);
  const kids = onlyOnce(found);
  for (const [index, { kid }] of (given.jwks?.keys ?? []).entries()) {
    kids("kid", typeof kid === "string" ? kid : undefined, `${path}.${kind}.jwks.keys[${index}].kid`);
  }
}

/** Addresses such an app may not have, by where they stand in the file. */
export function checkAddresses(settings: OidcSettings, path: string): Mistake[] {
  return findWrongAddresses(settings).map(({ field, reason }) => ({ path: `${path}.${field}`, reason }));
}

function checkTexts(texts: readonly MessageTextEntry[], owner: string, once: Once, found: Mistake[]): void {
  for (const [index, { type, language }] of texts.entries()) {
    once(`text of ${owner}`, `${type} ${language}`, `${owner}.messageTexts[${index}]`);
  }
  found.push(...findWrongTexts(texts, owner));
}

/** What works but is hardly meant: told in the log, not refused, as settings may be completed elsewhere. */
export function findOddities(app: AppEntry, path: string): Mistake[] {
  const given = app.oidc ?? app.api;
  const method = given?.authMethodType ?? (app.oidc ? "OIDC_AUTH_METHOD_TYPE_BASIC" : "API_AUTH_METHOD_TYPE_BASIC");
  const odd: Mistake[] = [];
  const add = (reason: string) => odd.push({ path, reason });
  if (/NONE|PRIVATE_KEY_JWT/.test(method) && given?.clientSecret !== undefined)
    add(`a clientSecret is not used with ${method}`);
  if (method.endsWith("PRIVATE_KEY_JWT") && !given?.jwks?.keys.length && !given?.keys?.length)
    add(`${method} needs a key in jwks`);
  if (!app.oidc) return odd;
  const { grantTypes, responseTypes, redirectUris } = oidcClient(app.oidc);
  const sendsBrowsers = grantTypes.includes("authorization_code") || grantTypes.includes("implicit");
  if (sendsBrowsers && redirectUris.length === 0) add("no redirectUris: nobody can sign in to this app");
  if (responseTypes.includes("code") && !grantTypes.includes("authorization_code") && app.oidc.responseTypes) {
    add("OIDC_RESPONSE_TYPE_CODE without OIDC_GRANT_TYPE_AUTHORIZATION_CODE");
  }
  if (responseTypes.some((type) => type !== "code") && !grantTypes.includes("implicit")) {
    add("OIDC_RESPONSE_TYPE_ID_TOKEN without OIDC_GRANT_TYPE_IMPLICIT");
  }
  return odd;
}
