/** The pages of the console in groups: a single test of all of them would be the longest one. */
import type { Page } from "@playwright/test";
import { ada } from "../directory";
import { beginSession, expect } from "./fixtures";

export const ACME = "/console/organizations/acme";

export const PAGES = {
  "the service": [
    "/console",
    "/console/organizations",
    "/console/users",
    "/console/administrators",
    "/console/policies",
    "/console/branding",
    "/console/features",
    "/console/registered-clients",
    "/console/keys",
    "/console/languages",
    "/console/sessions",
    "/console/events",
    "/console/status",
    "/console/mail-providers",
    "/console/text-messages",
    "/console/identity-providers",
    "/console/identity-providers?add=oidc",
  ],
  "an organization": [
    ...["", "/users", "/users/new", "/users/invite", "/users/import", "/machines", "/members", "/policies"],
    "/policies?view=passwords",
    ...["/branding", "/mail-settings", "/text-messages", "/identity-providers", "/app-approvals", "/apps"],
    ...["/sessions", "/events"],
  ].map((path) => ACME + path),
  "a user or a machine": [
    ...["profile", "security", "sessions", "grants"].map((view) => `/users/u-ada?view=${view}`),
    ...["machine", "keys", "grants"].map((view) => `/machines/m-ci?view=${view}`),
  ].map((path) => ACME + path),
} as const;

/** The time zone of the browsers that look at the pages. */
export const ZONE = "America/New_York";

/** Signs in without a page of the service, which would have set the time zone: the console sets it by itself. */
export async function begin(page: Page): Promise<void> {
  await beginSession(page, ada);
  await page.goto(ACME);
  await expect.poll(async () => (await page.context().cookies()).map(({ name }) => name)).toContain("tz");
}
