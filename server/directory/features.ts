/**
 * Features that are switched on at instance level, by their names in the feature API. Only those that do something
 * here are known, so that nobody believes to have switched on what does not exist.
 */
export const INSTANCE_FEATURES = ["oidcTokenExchange"] as const;

export type InstanceFeature = (typeof INSTANCE_FEATURES)[number];
