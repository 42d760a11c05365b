// The views of an app's page, by their names in its address; the first one opens without a name.

export const APP_VIEWS = ["quickstart", "settings", "credentials", "sign-ins"] as const;
export type AppView = (typeof APP_VIEWS)[number];

/** The anchors that the page had when it had no views. */
export const VIEW_ANCHORS: Readonly<Partial<Record<AppView, readonly string[]>>> = {
  settings: ["settings", "vouching", "connections", "end"],
  credentials: ["secrets", "keys"],
  "sign-ins": ["attempts"],
};
