/** What people read and change of their own account, by a token of theirs. */
import type { Memory, Step } from "./step";

const as = "colleague";

export const ownAccountSteps: Step[] = [
  { operation: "GetMyUser", as },
  { operation: "GetMyProfile", as },
  { operation: "GetMyEmail", as },
  { operation: "GetMyPhone", as },
  {
    operation: "SetUserMetadata",
    parameters: { userId: "u-colleague", key: "shoe-size" },
    body: { value: "NDI=" },
  },
  { operation: "ListMyMetadata", as },
  { operation: "GetMyMetadata", as, parameters: { key: "shoe-size" } },
  { operation: "ListMyUserSessions", as, body: { query: { limit: 1 } } },
  { operation: "ListMyUserGrants", as },
  { operation: "ListMyProjectOrgs", as, body: { queries: [{ nameQuery: { name: "ACME" } }] } },
  { operation: "ListMyZitadelPermissions", as },
  { operation: "ListMyProjectPermissions", as },
  { operation: "ListMyMemberships", as },
  { operation: "GetMyLoginPolicy", as },
  { operation: "GetMyPasswordComplexityPolicy", as },
  { operation: "GetMyPrivacyPolicy", as },
  { operation: "GetMyLabelPolicy", as },
  { operation: "GetSupportedLanguages", as },
  {
    operation: "ListMyRefreshTokens",
    keep: ({ result }, memory) => {
      memory.grantId = result[0].id;
    },
  },
  { operation: "RevokeMyRefreshToken", parameters: ({ grantId = "" }: Memory) => ({ grantId }) },
  { operation: "RevokeAllMyRefreshTokens", as },
];
