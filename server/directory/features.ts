/** The features that can be enabled at instance level and have an effect, by their names in the feature API. */
export const INSTANCE_FEATURES = ["oidcTokenExchange", "zitadelCompatibility"] as const;

export type InstanceFeature = (typeof INSTANCE_FEATURES)[number];

/**
 * Flags of ZITADEL's feature API, in any of its versions, that scripts switch on along with ours. They are stored and
 * shown, and have no effect here.
 */
const FLAGS_WITHOUT_EFFECT = [
  "actions",
  "consoleUseV2UserApi",
  "debugOidcParentError",
  "disableUserTokenEvent",
  "enableBackChannelLogout",
  "enableRelationalTables",
  "inMemoryProjections",
  "loginDefaultOrg",
  "oidcLegacyIntrospection",
  "oidcSingleV1SessionTermination",
  "oidcTriggerIntrospectionProjections",
  "permissionCheckV2",
  "userSchema",
  "webKey",
] as const;

/** All flags that the feature API accepts. */
export const FEATURE_FLAGS: readonly string[] = [...INSTANCE_FEATURES, ...FLAGS_WITHOUT_EFFECT];

/** The features that are set at instance level, by name, including those without an effect. */
export type FeatureSettings = Readonly<Record<string, boolean>>;

/** Returns the features with an effect, from a file. */
export function knownFeatures(features: Readonly<Record<string, unknown>>): FeatureSettings {
  return Object.fromEntries(
    INSTANCE_FEATURES.flatMap((name) => {
      const enabled = features[name];
      return typeof enabled === "boolean" ? [[name, enabled]] : [];
    }),
  );
}
