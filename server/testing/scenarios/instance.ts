/** Export and import of the whole service. */
import type { Step } from "./step";

export const instanceSteps: Step[] = [
  { operation: "ExportInstance" },
  { operation: "ExportInstanceByPost" },
  {
    operation: "ApplyInstance",
    query: { dryRun: "true" },
    body: { organizations: [{ id: "acme", name: "ACME", projects: [{ name: "New" }] }] },
  },
  {
    operation: "ListInstances",
    keep: ({ instances }, memory) => Object.assign(memory, { instanceId: instances[0].id }),
  },
  { operation: "GetInstance", parameters: ({ instanceId = "" }) => ({ instanceId }) },
  {
    operation: "ListCustomDomains",
    parameters: ({ instanceId = "" }) => ({ instanceId }),
    body: { filters: [{ primaryFilter: true }] },
  },
  { operation: "ListTrustedDomains", parameters: ({ instanceId = "" }) => ({ instanceId }), body: {} },
  { operation: "ApplyInstance", body: { instance: { defaultLanguage: "de" } } },
  { operation: "GetOIDCSettings" },
  { operation: "UpdateOIDCSettings", body: { accessTokenLifetime: "1800s", refreshTokenExpiration: "2592000s" } },
  { operation: "AddOIDCSettings", body: { idTokenLifetime: "600.000s" } },
  { operation: "ResetOIDCSettings" },
  { operation: "ListSecretGenerators", body: {} },
  { operation: "GetSecretGenerator", parameters: { generatorType: "SECRET_GENERATOR_TYPE_APP_SECRET" } },
  {
    operation: "UpdateSecretGenerator",
    parameters: { generatorType: "SECRET_GENERATOR_TYPE_PASSWORD_RESET_CODE" },
    body: { length: 8, includeDigits: true, expiry: "1800s" },
  },
];
