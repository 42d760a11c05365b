/** Feature flags. The system level cannot be set, and organizations and users inherit. */
import type { Step } from "./step";

export const featureSteps: Step[] = [
  { operation: "SetInstanceFeatures", body: { oidcTokenExchange: true } },
  { operation: "GetInstanceFeatures", query: { inheritance: "true" } },
  { operation: "GetSystemFeatures" },
  { operation: "GetOrganizationFeatures", parameters: { id: "acme" } },
  { operation: "GetUserFeatures", parameters: { id: "u-ada" }, query: { inheritance: "true" } },
  { operation: "ResetInstanceFeatures" },
  { operation: "SetSystemFeatures", body: {}, refused: "access.denied" },
  { operation: "ResetSystemFeatures", refused: "access.denied" },
  { operation: "SetOrganizationFeatures", parameters: { id: "acme" }, body: {}, refused: "feature.inherited" },
  { operation: "ResetOrganizationFeatures", parameters: { id: "acme" }, refused: "feature.inherited" },
  { operation: "SetUserFeatures", parameters: { id: "u-ada" }, body: {}, refused: "feature.inherited" },
  { operation: "ResetUserFeatures", parameters: { id: "u-ada" }, refused: "feature.inherited" },
  { operation: "SetSecurityPolicy", body: { enableImpersonation: true } },
  { operation: "SetSecuritySettings", body: { enableImpersonation: true } },
  { operation: "SetInstanceSecurityPolicy", body: { enableImpersonation: true, allowedOrigins: [] } },
  { operation: "GetSecuritySettings" },
  { operation: "GetSecurityPolicy" },
  {
    operation: "CreateRegistrationToken",
    body: { lifetime: "90d" },
    keep: ({ id, token }, memory) => Object.assign(memory, { registrationTokenId: id, registrationToken: token }),
  },
  { operation: "ListRegistrationTokens" },
  {
    operation: "RemoveRegistrationToken",
    parameters: ({ registrationTokenId = "" }) => ({ tokenId: registrationTokenId }),
  },
  { operation: "ListRegisteredClients", body: { queries: [{ kindQuery: { kind: "CLIENT_KIND_REGISTERED" } }] } },
];
