/** Features that can be enabled at instance level, by their names in the feature API: those with an effect. */
export const INSTANCE_FEATURES = ["oidcTokenExchange"] as const;

export type InstanceFeature = (typeof INSTANCE_FEATURES)[number];

/**
 * Flags that the feature API of ZITADEL documents in one of its versions, which scripts switch on along with ours: they
 * are kept and shown, and do nothing here.
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

/** Every flag that the feature API knows. */
export const FEATURE_FLAGS: readonly string[] = [...INSTANCE_FEATURES, ...FLAGS_WITHOUT_EFFECT];

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
