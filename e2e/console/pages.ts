/** The pages of the console in groups: a single test of all of them would be the longest one. */

export const ACME = "/console/organizations/acme";

export const PAGES = {
  "of the service": [
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
  "of an organization": [
    ...["", "/users", "/users/new", "/users/invite", "/users/import", "/machines", "/members", "/policies"],
    ...["/branding", "/mail-settings", "/text-messages", "/identity-providers", "/app-approvals"],
    ...["/sessions", "/events"],
  ].map((path) => ACME + path),
  "about a person or a machine": [
    ...["profile", "security", "sessions", "grants"].map((view) => `/users/u-ada?view=${view}`),
    ...["machine", "keys", "grants"].map((view) => `/machines/m-ci?view=${view}`),
  ].map((path) => ACME + path),
} as const;
