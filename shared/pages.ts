// The pages of the console as data, for the navigation, the command palette, and the permission check of every page. To
// add a page, add a line here and its name in the texts, `pages.<page>`.
import type { Permission } from "../server/directory/member/permissions";

/**
 * The scope of a page. `home`: the visitor and their own organization; `organization`: the organization in its address;
 * `instance`: the whole service.
 */
export type PageGroup = "home" | "organization" | "instance";

interface PageEntry {
  page: string;
  group: PageGroup;
  /** The path below `/console`, or below the organization's address. */
  path: string;
  /** The required permission at that level; null if any permission is enough. */
  permission: Permission | null;
  /**
   * Whether the permission in a single project is enough, because the page only lists projects that the visitor may
   * see.
   */
  ofProjects?: true;
}

/** In the order of the navigation. */
export const PAGES = [
  { page: "overview", group: "home", path: "", permission: null },
  { page: "mail", group: "home", path: "mail", permission: "user.read" },
  { page: "organization", group: "organization", path: "", permission: "org.read" },
  { page: "apps", group: "organization", path: "apps", permission: "project.app.read", ofProjects: true },
  { page: "projects", group: "organization", path: "projects", permission: "project.read", ofProjects: true },
  {
    page: "playground",
    group: "organization",
    path: "playground",
    permission: "project.app.read",
    ofProjects: true,
  },
  { page: "users", group: "organization", path: "users", permission: "user.read" },
  { page: "machines", group: "organization", path: "machines", permission: "user.read" },
  { page: "texts", group: "organization", path: "texts", permission: "text.read" },
  { page: "words", group: "organization", path: "texts/pages", permission: "text.read" },
  { page: "members", group: "organization", path: "members", permission: "org.member.read" },
  { page: "policies", group: "organization", path: "policies", permission: "policy.read" },
  {
    page: "identity_providers",
    group: "organization",
    path: "identity-providers",
    permission: "policy.read",
  },
  { page: "app_approvals", group: "organization", path: "app-approvals", permission: "policy.read" },
  { page: "branding", group: "organization", path: "branding", permission: "policy.read" },
  { page: "mail_settings", group: "organization", path: "mail-settings", permission: "policy.read" },
  { page: "sms", group: "organization", path: "text-messages", permission: "policy.read" },
  { page: "sessions", group: "organization", path: "sessions", permission: "session.read" },
  { page: "attempts", group: "organization", path: "attempts", permission: "user.read" },
  { page: "events", group: "organization", path: "events", permission: "events.read" },
  { page: "organizations", group: "instance", path: "organizations", permission: "iam.read" },
  { page: "everybody", group: "instance", path: "users", permission: "user.read" },
  { page: "instance_texts", group: "instance", path: "texts", permission: "iam.policy.read" },
  { page: "instance_words", group: "instance", path: "texts/pages", permission: "iam.policy.read" },
  { page: "languages", group: "instance", path: "languages", permission: "iam.policy.read" },
  { page: "instance_policies", group: "instance", path: "policies", permission: "iam.policy.read" },
  {
    page: "instance_identity_providers",
    group: "instance",
    path: "identity-providers",
    permission: "iam.policy.read",
  },
  { page: "instance_branding", group: "instance", path: "branding", permission: "iam.policy.read" },
  { page: "instance_mail", group: "instance", path: "mail-providers", permission: "iam.policy.read" },
  { page: "instance_sms", group: "instance", path: "text-messages", permission: "iam.policy.read" },
  { page: "instance_mails", group: "instance", path: "mail/all", permission: "user.read" },
  { page: "administrators", group: "instance", path: "administrators", permission: "iam.member.read" },
  {
    page: "registered_clients",
    group: "instance",
    path: "registered-clients",
    permission: "iam.policy.read",
  },
  { page: "features", group: "instance", path: "features", permission: "iam.feature.read" },
  { page: "keys", group: "instance", path: "keys", permission: "iam.web_key.read" },
  { page: "instance_sessions", group: "instance", path: "sessions", permission: "session.read" },
  { page: "instance_attempts", group: "instance", path: "attempts", permission: "user.read" },
  { page: "instance_events", group: "instance", path: "events", permission: "events.read" },
  { page: "status", group: "instance", path: "status", permission: "iam.read" },
] as const satisfies readonly PageEntry[];

/** Marks the request of a page that is read before its link is followed. */
export const AHEAD_HEADER = "x-read-ahead";

export type ConsolePage = (typeof PAGES)[number]["page"];

/**
 * Returns the address of a page.
 * @param organizationId used for pages of an organization
 */
export function pageAddress(page: ConsolePage, organizationId: string): string {
  const { group, path } = entryOf(page);
  const base = group === "organization" ? organizationAddress(organizationId) : "/console";
  return path === "" ? base : `${base}/${path}`;
}

export function organizationAddress(organizationId: string): string {
  return `/console/organizations/${encodeURIComponent(organizationId)}`;
}

/**
 * Returns the organization in an address; undefined if it has none.
 * @param path the path without query
 */
export function organizationInPath(path: string): string | undefined {
  const id = /^\/console\/organizations\/([^/]+)/.exec(path)?.[1];
  try {
    return id === undefined ? undefined : decodeURIComponent(id);
  } catch {
    return undefined;
  }
}

export const entryOf = (page: ConsolePage): PageEntry => PAGES.find((entry) => entry.page === page) ?? PAGES[0];

/** Returns whether these permissions are for texts alone, so that the console starts with these. */
export const worksOnTexts = (held: ReadonlySet<Permission>): boolean =>
  held.has("text.propose") && !held.has("org.read");

/**
 * Returns the pages that a user may open, in order.
 * @param held the permissions at each level
 * @param inProjects the permissions held in single projects of the organization
 */
export function pagesFor(
  held: Readonly<Record<PageGroup, ReadonlySet<Permission>>>,
  inProjects: ReadonlySet<Permission> = new Set(),
): ConsolePage[] {
  const entries: readonly (PageEntry & { page: ConsolePage })[] = PAGES;
  const isOpen = ({ group, permission, ofProjects }: PageEntry) =>
    permission === null
      ? held[group].size + inProjects.size > 0 && !worksOnTexts(held[group])
      : held[group].has(permission) || (ofProjects === true && inProjects.has(permission));
  return entries.filter(isOpen).map(({ page }) => page);
}
