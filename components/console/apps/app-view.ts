// The views of an app's page, by their names in its address; the first one opens without a name.

export const APP_VIEWS = ["quickstart", "settings", "credentials", "sign-ins"] as const;
export type AppView = (typeof APP_VIEWS)[number];
