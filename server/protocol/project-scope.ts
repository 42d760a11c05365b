/**
 * Scopes that projects define for their APIs (RFC 6749 §3.3). A scope is the project's word: it counts only in tokens
 * that are for the project, asked for by a client of the same organization. A token that names another organization's
 * project carries none at all (RFC 9068 §5, attack: an organization defines a scope of the other's name and shows the
 * other's API a token that seems to have it). An unknown scope is never granted: it would look like a permission to
 * whoever reads the token.
 */
import type { TokenClient } from "./client";
import { manageableScope, serviceAudience } from "./management";
import { type Reason, reason } from "./reason";
import type { ResponseType } from "./response-type";
import { isKnownScope, scopeAudience } from "./scope";

export interface ProjectScope {
  name: string;
  /** What people read before they agree, by BCP 47 tag. */
  descriptions: Readonly<Record<string, string>>;
}

/** A project that a token may be for. */
export interface TargetProject {
  id: string;
  name: string;
  organizationId: string;
  /** The project and its organization. */
  isActive: boolean;
  scopes: readonly ProjectScope[];
  /** The claim with a flat list of role keys. */
  rolesClaim: string | undefined;
}

/** Whose token it is to be. */
export type Asking = Pick<TokenClient, "clientId" | "projectId" | "organizationId">;

/** Characters; a request has room for 4096. */
export const MAX_SCOPE_NAME_LENGTH = 100;

const scopeName = /^[\x21\x23-\x5b\x5d-\x7e]{1,100}$/; // RFC 6749 §3.3: scope-token
/** What stands in an address would lead elsewhere. */
const onlyDots = /^\.+$/;
const reservedPrefix = /^urn:(?:service|zitadel):/;

/** Why a project may not call a scope that; undefined if it may. */
export function whyNoScopeName(name: string): Reason | undefined {
  if (onlyDots.test(name)) return reason("only_dots");
  if (!scopeName.test(name)) return reason("scope_characters", { n: MAX_SCOPE_NAME_LENGTH });
  const folded = name.toLowerCase();
  return isKnownScope(folded) || reservedPrefix.test(folded) ? reason("scope_taken") : undefined;
}

/** The projects whose scopes the client may be granted; none where the token is for others' projects, too. */
export function projectsWithScopes(client: Asking, targets: readonly TargetProject[]): TargetProject[] {
  if (targets.some(({ organizationId }) => organizationId !== client.organizationId)) return [];
  return targets.filter(({ isActive }) => isActive);
}

/** The names that the scope asks for and no project of `targets` defines for this client. */
export function undefinedScopes(
  scope: readonly string[],
  client: Asking,
  targets: readonly TargetProject[],
): readonly string[] {
  const defined = new Set(projectsWithScopes(client, targets).flatMap(({ scopes }) => scopes.map(({ name }) => name)));
  return scope.filter((one) => !isKnownScope(one) && !defined.has(one));
}

/**
 * The scope without what means nothing (any more): names that no project in question defines, and audiences that are no
 * project's. RFC 6749 §3.3: the answer tells what is left.
 */
export function meaningfulScope(scope: readonly string[], client: Asking, targets: readonly TargetProject[]): string[] {
  const meaningless = new Set(undefinedScopes(scope, client, targets));
  const projects = new Set([serviceAudience, client.projectId, ...targets.map(({ id }) => id)]);
  return scope.filter((one) => !meaningless.has(one) && scopeAudience([one]).every((id) => projects.has(id)));
}

/**
 * What is granted of what was asked, in the order asked. What means nothing is dropped (OIDC Core §3.1.2.1).
 * @param responseType of the authorization request
 */
export function grantedScope(
  requested: readonly string[],
  client: Asking & { grantTypes: readonly string[]; mayManage: boolean },
  responseType: ResponseType,
  targets: readonly TargetProject[],
): string[] {
  // OIDC Core §11: offline_access is ignored unless an authorization code is returned. Rule TOKEN-4.
  const offline = responseType === "code" && client.grantTypes.includes("refresh_token");
  const meaningful = meaningfulScope(requested, client, targets);
  return manageableScope(meaningful, client).filter((scope) => scope !== "offline_access" || offline);
}

/** What each project says about the scopes asked of it, in the project's own words. */
export interface ScopeWords {
  projectName: string;
  /** `text`: undefined where the project has none. */
  scopes: { name: string; text: string | undefined }[];
}

/**
 * The words to ask a person with.
 * @param languages BCP 47 tags, the most wanted first; a text in any language is better than none
 */
export function scopeWords(
  scope: readonly string[],
  client: Asking,
  targets: readonly TargetProject[],
  languages: readonly string[],
): ScopeWords[] {
  return projectsWithScopes(client, targets).flatMap(({ name: projectName, scopes }) => {
    const asked = scopes.filter(({ name }) => scope.includes(name));
    const said = asked.map(({ name, descriptions }) => ({ name, text: textIn(descriptions, languages) }));
    return said.length === 0 ? [] : [{ projectName, scopes: said }];
  });
}

/** In the first language there is a text in, or in one of its wider ones (RFC 4647 §3.4), else in whichever comes first. */
function textIn(descriptions: ProjectScope["descriptions"], languages: readonly string[]): string | undefined {
  const texts = new Map(Object.entries(descriptions).map(([tag, text]) => [tag.toLowerCase(), text]));
  for (const language of languages) {
    for (let tag = language.toLowerCase(); tag !== ""; tag = tag.slice(0, Math.max(0, tag.lastIndexOf("-")))) {
      const text = texts.get(tag);
      if (text !== undefined) return text;
    }
  }
  return [...texts].sort(([a], [b]) => (a < b ? -1 : 1))[0]?.[1];
}
