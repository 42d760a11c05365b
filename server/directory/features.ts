/**
 * Features that can be enabled at instance level, by their names in the feature API. Only those with an effect are
 * accepted, so that nobody believes to have enabled something that does not exist.
 */
export const INSTANCE_FEATURES = ["oidcTokenExchange"] as const;

export type InstanceFeature = (typeof INSTANCE_FEATURES)[number];
