/**
 * Features that can be enabled at instance level, by their names in the feature API: those with an effect. Flags of other
 * services, which scripts switch on along with them, are kept and shown by the API and do nothing.
 */
export const INSTANCE_FEATURES = ["oidcTokenExchange"] as const;

export type InstanceFeature = (typeof INSTANCE_FEATURES)[number];

/** The features that are set at instance level, by name; those without an effect among them. */
export type FeatureSettings = Readonly<Record<string, boolean>>;

/** Those with an effect, as files name them. */
export function knownFeatures(features: Readonly<Record<string, unknown>>): FeatureSettings {
  return Object.fromEntries(
    INSTANCE_FEATURES.flatMap((name) => {
      const enabled = features[name];
      return typeof enabled === "boolean" ? [[name, enabled]] : [];
    }),
  );
}
