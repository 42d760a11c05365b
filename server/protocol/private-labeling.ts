/** Whose look sign-in pages have once the user is known: the user's organization, unless a project enforces its own. */
export const PRIVATE_LABELING_SETTINGS = [
  "PRIVATE_LABELING_SETTING_UNSPECIFIED",
  "PRIVATE_LABELING_SETTING_ENFORCE_PROJECT_RESOURCE_OWNER_POLICY",
  "PRIVATE_LABELING_SETTING_ALLOW_LOGIN_USER_RESOURCE_OWNER_POLICY",
] as const;
export type PrivateLabelingSetting = (typeof PRIVATE_LABELING_SETTINGS)[number];
