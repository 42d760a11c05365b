/**
 * Scopes that projects define for their APIs (RFC 6749 §3.3). A scope counts only in tokens for its project that are
 * requested by a client of the same organization. A token that names another organization's project contains none at
 * all (RFC 9068 §5, attack: an organization defines a scope with another's name and presents to the other's API a token
 * that seems to have it). An unknown scope is never granted: a resource server could mistake it for a permission.
 */
import type { TokenClient } from "./client";
import { manageableScope, serviceAudience } from "./management";
import { type Reason, reason } from "./reason";
import { type ResponseType, returnsCode } from "./response-type";
import { isKnownScope, scopeAudience } from "./scope";

export interface ProjectScope {
  name: string;
  /** What users read before they consent, by BCP 47 tag. */
  descriptions: Readonly<Record<string, string>>;
}

/** A project that a token may be for. */
export interface TargetProject {
  id: string;
  name: string;
  organizationId: string;
  /** Whether the project and its organization are active. */
  isActive: boolean;
  scopes: readonly ProjectScope[];
  /** The claim with a flat list of role keys, if any. */
  rolesClaim: string | undefined;
}

/** The client that requests the token. */
export type Asking = Pick<TokenClient, "clientId" | "projectId" | "organizationId">;

/** The maximum length in characters; the scope parameter has room for 4096. */
const MAX_SCOPE_NAME_LENGTH = 100;

const scopeName = /^[\x21\x23-\x5b\x5d-\x7e]{1,100}$/; // RFC 6749 §3.3: scope-token
/** Would be resolved as path segments in a URL. */
const onlyDots = /^\.+$/;
const reservedPrefix = /^urn:(?:service|zitadel):/;

/** Returns why a project may not use a name for a scope; undefined if it may. */
export function whyNoScopeName(name: string): Reason | undefined {
  if (onlyDots.test(name)) return reason("only_dots");
  if (!scopeName.test(name)) return reason("scope_characters", { n: MAX_SCOPE_NAME_LENGTH });
  const folded = name.toLowerCase();
  return isKnownScope(folded) || reservedPrefix.test(folded) ? reason("scope_taken") : undefined;
}

/**
 * Returns the projects whose scopes the client may be granted; empty if the token is also for other organizations'
 * projects.
 */
function projectsWithScopes(client: Asking, targets: readonly TargetProject[]): TargetProject[] {
  if (targets.some(({ organizationId }) => organizationId !== client.organizationId)) return [];
  return targets.filter(({ isActive }) => isActive);
}

/** Returns the requested names that no project of `targets` defines for this client. */
export function undefinedScopes(
  scope: readonly string[],
  client: Asking,
  targets: readonly TargetProject[],
): readonly string[] {
  const defined = new Set(projectsWithScopes(client, targets).flatMap(({ scopes }) => scopes.map(({ name }) => name)));
  return scope.filter((one) => !isKnownScope(one) && !defined.has(one));
}

/**
 * Returns the scope without parts that mean nothing (any more): names that no targeted project defines, and audiences
 * that are not projects. The response contains what is left (RFC 6749 §3.3).
 */
export function meaningfulScope(scope: readonly string[], client: Asking, targets: readonly TargetProject[]): string[] {
  const meaningless = new Set(undefinedScopes(scope, client, targets));
  const projects = new Set([serviceAudience, client.projectId, ...targets.map(({ id }) => id)]);
  return scope.filter((one) => !meaningless.has(one) && scopeAudience([one]).every((id) => projects.has(id)));
}

/**
 * Returns what is granted of the requested scopes, in the order requested. Scopes without a meaning are dropped (OIDC
 * Core §3.1.2.1).
 * @param meaningful the requested scopes that mean something to the audience of the tokens (`meaningfulTo`)
 * @param client the client of the request
 * @param responseType the response type of the authorization request
 */
export function grantedScope(
  meaningful: readonly string[],
  client: { grantTypes: readonly string[]; mayManage: boolean },
  responseType: ResponseType,
): string[] {
  // OIDC Core §11: offline_access is ignored unless an authorization code is returned. Rule TOKEN-4.
  const offline = returnsCode(responseType) && client.grantTypes.includes("refresh_token");
  return manageableScope(meaningful, client).filter((scope) => scope !== "offline_access" || offline);
}

/** The texts of one project for the requested scopes. */
export interface ScopeDescriptions {
  projectName: string;
  /** The resource that they are for; undefined for the project as a whole. */
  resource?: string;
  /** The scopes; `text` is undefined if the project has none. */
  scopes: { name: string; text: string | undefined }[];
}

/**
 * Returns the texts for the consent page.
 * @param scope the requested scopes
 * @param client the client of the request
 * @param targets the projects that the token may be for
 * @param languages BCP 47 tags, most preferred first; a text in any language is better than none
 */
export function describeScopes(
  scope: readonly string[],
  client: Asking,
  targets: readonly TargetProject[],
  languages: readonly string[],
): ScopeDescriptions[] {
  return projectsWithScopes(client, targets).flatMap(({ name: projectName, scopes }) => {
    const asked = scopes.filter(({ name }) => scope.includes(name));
    const said = asked.map(({ name, descriptions }) => ({ name, text: textIn(descriptions, languages) }));
    return said.length === 0 ? [] : [{ projectName, scopes: said }];
  });
}

/**
 * Returns the text in the first language that has one, or in a wider tag of it (RFC 4647 §3.4), else the first by tag.
 */
export function textIn(descriptions: ProjectScope["descriptions"], languages: readonly string[]): string | undefined {
  const texts = new Map(Object.entries(descriptions).map(([tag, text]) => [tag.toLowerCase(), text]));
  for (const language of languages) {
    for (let tag = language.toLowerCase(); tag !== ""; tag = tag.slice(0, Math.max(0, tag.lastIndexOf("-")))) {
      const text = texts.get(tag);
      if (text !== undefined) return text;
    }
  }
  return [...texts].sort(([a], [b]) => (a < b ? -1 : 1))[0]?.[1];
}
