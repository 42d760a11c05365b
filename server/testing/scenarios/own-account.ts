/** Operations on the caller's own account, with a token of the user. */
import { PASSWORD } from "../example";
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
  { operation: "UpdateMyProfile", as, body: { firstName: "Col", lastName: "League" } },
  {
    operation: "UpdateMyPassword",
    as,
    body: { oldPassword: PASSWORD, newPassword: "a sentence that nobody guesses" },
  },
  { operation: "SetMyEmail", body: { email: "new@mail.test", currentPassword: PASSWORD } },
  { operation: "ResendMyEmailVerification", refused: "mail.too_many" },
  { operation: "VerifyMyEmail", body: { code: "000000" }, refused: "user.code_wrong" },
  { operation: "SetMyPhone", as, body: { phone: "+15551234567" } },
  { operation: "ResendMyPhoneVerification", as },
  { operation: "VerifyMyPhone", as, body: { code: "no" }, refused: "user.code_wrong" },
  { operation: "RemoveMyPhone", as },
  { operation: "UpdateMyUserName", as, body: { userName: "bob" }, refused: "user.already_exists" },
  { operation: "ListMyLinkedIDPs", as, body: { query: { limit: 5 } } },
  { operation: "RemoveMyUser", refused: "instance.last_owner" },
  { operation: "ListMyAuthFactors", as },
  { operation: "ListMyPasswordless", as },
  { operation: "AddMyAuthFactorOTP", as },
  { operation: "VerifyMyAuthFactorOTP", as, body: { code: "no" }, refused: "user.code_wrong" },
  { operation: "RemoveMyAuthFactorOTP", as, refused: "credential.not_found" },
  { operation: "RemoveMyPasswordless", as, parameters: { passkeyId: "none" }, refused: "credential.not_found" },
  { operation: "RemoveMyAuthFactorOTPEmail", as, refused: "credential.not_found" },
  { operation: "AddMyAuthFactorOTPSMS", as, refused: "policy.factor_not_permitted" },
  { operation: "RemoveMyAuthFactorOTPSMS", as, refused: "credential.not_found" },
  { operation: "AddMyAuthFactorOTPEmail", as },
  { operation: "ListMyUserSessions", as, body: { query: { limit: 1 } } },
  { operation: "ListMyUserChanges", as, body: { query: { limit: 5 } } },
  { operation: "ListMyUserGrants", as },
  { operation: "ListMyProjectOrgs", as, body: { queries: [{ nameQuery: { name: "ACME" } }] } },
  { operation: "ListMyZitadelPermissions", as },
  { operation: "ListMyProjectPermissions", as },
  { operation: "ListMyMemberships", as, body: { queries: [{ iamQuery: { iam: true } }] } },
  { operation: "ListUserMemberships", parameters: { userId: "u-bob" }, body: { query: { limit: 5 } } },
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
