// What the visitor can do in the console, as data, for the command palette: each act with its page and the permission
// that it takes. To add one, add a line here and its texts, `acts.by.name.<act>` and `acts.by.words.<act>`.
import type { Permission } from "../server/directory/member/permissions";
import { type ConsolePage, entryOf, pageAddress } from "./pages";

interface ActEntry {
  act: string;
  /** The page where it is done. */
  page: ConsolePage;
  permission: Permission;
  /** What it is done to, by searching one; left out if it is done to nothing that exists. */
  to?: "user" | "app";
  /** Appended to the address of the page, or of the user or app. */
  at?: string;
}

/** In the order in which equally good ones are shown. */
export const ACTS = [
  { act: "addApp", page: "apps", permission: "project.app.write", at: "/new" },
  { act: "inviteUsers", page: "users", permission: "user.write", at: "/invite" },
  { act: "createUser", page: "users", permission: "user.write", at: "/new" },
  { act: "importUsers", page: "users", permission: "user.write", at: "/import" },
  { act: "resetPassword", page: "users", permission: "user.write", to: "user", at: "?view=security" },
  { act: "unlockUser", page: "users", permission: "user.write", to: "user", at: "?view=profile" },
  { act: "removeFactors", page: "users", permission: "user.write", to: "user", at: "?view=security" },
  { act: "signOutUser", page: "users", permission: "session.delete", to: "user", at: "?view=sessions" },
  { act: "giveRoles", page: "users", permission: "user.grant.write", to: "user", at: "?view=grants" },
  { act: "readAttempts", page: "users", permission: "user.read", to: "user", at: "?view=attempts" },
  { act: "readMails", page: "users", permission: "user.read", to: "user", at: "?view=mails" },
  { act: "replaceSecret", page: "apps", permission: "project.app.write", to: "app", at: "?view=credentials" },
  { act: "addAdministrator", page: "members", permission: "org.member.write" },
  { act: "createProject", page: "projects", permission: "project.create" },
  { act: "editTexts", page: "texts", permission: "text.propose" },
  { act: "changeBranding", page: "branding", permission: "policy.write" },
  { act: "rotateKeys", page: "keys", permission: "iam.web_key.write" },
  { act: "createOrganization", page: "organizations", permission: "org.create" },
] as const satisfies readonly ActEntry[];

export type ConsoleAct = (typeof ACTS)[number]["act"];

export const actOf = (act: ConsoleAct): ActEntry & { act: ConsoleAct } =>
  ACTS.find((one) => one.act === act) ?? ACTS[0];

/** Returns the acts that a visitor may do, on pages that they may open. */
export function actsFor(
  pages: readonly ConsolePage[],
  held: Readonly<Record<"organization" | "instance", ReadonlySet<Permission>>>,
): ConsoleAct[] {
  const entries: readonly (ActEntry & { act: ConsoleAct })[] = ACTS;
  const may = ({ page, permission }: ActEntry) =>
    pages.includes(page) && held[entryOf(page).group === "instance" ? "instance" : "organization"].has(permission);
  return entries.filter(may).map(({ act }) => act);
}

/** Returns the address where the act is done. @param object the page of the user or app, if it is known */
export function actAddress(act: ConsoleAct, organizationId: string, object?: string): string {
  const { page, to, at = "" } = actOf(act);
  if (to && object === undefined) return pageAddress(page, organizationId);
  return `${object ?? pageAddress(page, organizationId)}${at}`;
}
