/** A user from the first message to the removal, and the operations of administrators. */
import { addAuthenticatorApp, enableSentCodes } from "../../directory/user/second-factor";
import { insertPasskey } from "../../storage/factor/passkeys";
import { apiToken } from "../api";
import type { TestService } from "../test-context";
import { severalSteps } from "./several-users";
import type { Step } from "./step";

/** Bob has an app for codes, recovery codes and a passkey, and is signed in to an app. */
export async function prepareFactors(service: TestService): Promise<void> {
  const { ctx } = service;
  await apiToken(service, "bob@acme.test");
  const bob = { id: "u-bob", organizationId: "acme" };
  const origin = { actor: "u-bob" };
  await addAuthenticatorApp({ ...ctx, origin }, bob, {
    id: "f-app",
    secret: "JBSWY3DPEHPK3PXP",
    timeStep: 1,
    name: "Phone",
  });
  await enableSentCodes({ ...ctx, origin }, bob, "email");
  const key = { publicKey: "key", counter: 0, transports: "", aaguid: "", isMultiDevice: true, isBackedUp: false };
  const passkey = { id: "f-key", userId: "u-bob", name: "Laptop", ...key, isUserVerified: true };
  await ctx.db.transaction((tx) => insertPasskey(tx, passkey, ctx.clock()));
}

const profile = { firstName: "Grace", lastName: "Hopper", preferredLanguage: "de", gender: "GENDER_FEMALE" };
const grace = { userName: "grace", profile, email: { email: "grace@mail.test" } };
const HASH = "$argon2id$v=19$m=19456,t=2,p=1$c29tZXNhbHRzb21lc2FsdA$hqU0n8iV5m3VNwHXaeJZ8gZ1sYHkPXUhNUqJ2DmHIRM";

const graceIn = ({ userId = "" }: Record<string, string>) => ({ userId });
const bob = { userId: "u-bob" };
const keepUser: Step["keep"] = ({ userId }, memory) => {
  memory.userId = userId;
};

export const userSteps: Step[] = [
  { operation: "IsUserUnique", as: "colleague", query: { userName: "grace" } },
  { operation: "AddHumanUser", as: "colleague", body: { ...grace, phone: { phone: "+15551234567" } }, keep: keepUser },
  { operation: "GetUserByID", as: "colleague", parameters: graceIn },
  { operation: "GetUserByIDV2", as: "colleague", parameters: graceIn },
  { operation: "GetUserByLoginNameGlobal", as: "colleague", query: { loginName: "Grace@ACME.test" } },
  {
    operation: "ListUsers",
    as: "colleague",
    body: {
      query: { limit: 1 },
      queries: [{ textQuery: { text: "gra hop" } }, { typeQuery: { type: "TYPE_HUMAN" } }],
    },
  },
  { operation: "ListAllUsers", body: { sortingColumn: "USER_FIELD_NAME_DISPLAY_NAME" } },
  { operation: "ListUsersV2", body: { queries: [{ emailQuery: { emailAddress: "grace@mail.test" } }] } },
  { operation: "ResendHumanInitialization", as: "colleague", parameters: graceIn },
  { operation: "CreateInviteCode", as: "colleague", parameters: graceIn, body: { returnCode: {} } },
  {
    operation: "UpdateHumanProfile",
    as: "colleague",
    parameters: graceIn,
    body: { firstName: "Grace", lastName: "Murray Hopper", nickName: "Amazing" },
  },
  { operation: "UpdateUserName", as: "colleague", parameters: graceIn, body: { userName: "grace.hopper" } },
  { operation: "UpdateHumanEmail", as: "colleague", parameters: graceIn, body: { email: "g@mail.test" } },
  { operation: "ResendHumanEmailVerification", as: "colleague", parameters: graceIn },
  { operation: "VerifyHumanEmail", as: "colleague", parameters: graceIn },
  { operation: "GetHumanEmail", as: "colleague", parameters: graceIn },
  { operation: "SendHumanResetPasswordNotification", as: "colleague", parameters: graceIn, body: {} },
  { operation: "UpdateHumanPhone", as: "colleague", parameters: graceIn, body: { phone: "+15557654321" } },
  { operation: "ResendHumanPhoneVerification", as: "colleague", parameters: graceIn },
  { operation: "VerifyHumanPhone", as: "colleague", parameters: graceIn },
  { operation: "GetHumanPhone", as: "colleague", parameters: graceIn },
  { operation: "RemoveHumanPhone", as: "colleague", parameters: graceIn },
  {
    operation: "SetHumanPassword",
    as: "colleague",
    parameters: graceIn,
    body: { password: "a password of the administrator" },
  },
  { operation: "LockUser", as: "colleague", parameters: graceIn },
  { operation: "UnlockUser", as: "colleague", parameters: graceIn },
  { operation: "DeactivateUser", as: "colleague", parameters: graceIn },
  { operation: "ReactivateUser", as: "colleague", parameters: graceIn },
  { operation: "LockUserV2", as: "colleague", parameters: graceIn },
  { operation: "UnlockUserV2", as: "colleague", parameters: graceIn },
  { operation: "DeactivateUserV2", as: "colleague", parameters: graceIn },
  { operation: "ReactivateUserV2", as: "colleague", parameters: graceIn },
  { operation: "ListHumanAuthFactors", as: "colleague", parameters: bob },
  { operation: "ListHumanPasswordless", as: "colleague", parameters: bob },
  { operation: "ListAuthenticationMethodTypes", as: "colleague", parameters: bob },
  { operation: "ListAuthenticationFactors", as: "colleague", parameters: bob, body: { authFactors: ["OTP"] } },
  { operation: "ListPasskeysV2", as: "colleague", parameters: bob },
  { operation: "RemoveHumanRecoveryCodes", as: "colleague", parameters: bob },
  { operation: "RemoveHumanAuthFactor", as: "colleague", parameters: { ...bob, factorId: "f-app" } },
  { operation: "RemoveHumanPasswordless", as: "colleague", parameters: { ...bob, passkeyId: "f-key" } },
  {
    operation: "RemovePasskeyV2",
    as: "colleague",
    parameters: { ...bob, passkeyId: "f-key" },
    refused: "credential.not_found",
  },
  { operation: "RemoveRecoveryCodesV2", as: "colleague", parameters: bob, refused: "credential.not_found" },
  {
    operation: "SetUserMetadata",
    as: "colleague",
    parameters: { ...bob, key: "shoe-size" },
    body: { value: "NDI=" },
  },
  { operation: "GetUserMetadata", as: "colleague", parameters: { ...bob, key: "shoe-size" } },
  { operation: "ListUserMetadata", as: "colleague", parameters: bob },
  {
    operation: "BulkSetUserMetadata",
    as: "colleague",
    parameters: bob,
    body: { metadata: [{ key: "hat-size", value: "NTg=" }] },
  },
  { operation: "BulkRemoveUserMetadata", as: "colleague", parameters: bob, body: { keys: ["hat-size"] } },
  { operation: "GenerateRecoveryCodes", as: "colleague", parameters: bob },
  { operation: "HumanMFAInitSkipped", as: "colleague", parameters: bob },
  {
    operation: "RegisterPasskey",
    as: "colleague",
    parameters: bob,
    body: { authenticator: "PASSKEY_AUTHENTICATOR_PLATFORM" },
  },
  {
    operation: "VerifyPasskeyRegistration",
    as: "colleague",
    parameters: { ...bob, passkeyId: "none" },
    body: { publicKeyCredential: {} },
    refused: "passkey.not_found",
  },
  { operation: "RegisterU2F", as: "colleague", parameters: bob, body: {} },
  {
    operation: "VerifyU2FRegistration",
    as: "colleague",
    parameters: { ...bob, passkeyId: "none" },
    body: { publicKeyCredential: {} },
    refused: "passkey.not_found",
  },
  { operation: "RemoveUserMetadata", as: "colleague", parameters: { ...bob, key: "shoe-size" } },
  {
    operation: "SetUserMetadataV2",
    as: "colleague",
    parameters: bob,
    body: { metadata: [{ key: "hat-size", value: "NTg=" }] },
  },
  { operation: "ListUserMetadataV2", as: "colleague", parameters: bob, body: {} },
  { operation: "DeleteUserMetadataV2", as: "colleague", parameters: bob, query: { keys: "hat-size" } },
  {
    operation: "ListUserTokens",
    as: "colleague",
    parameters: bob,
    keep: ({ result }, memory) => {
      memory.grantId = result[0].id;
    },
  },
  { operation: "RevokeUserToken", as: "colleague", parameters: ({ grantId = "" }) => ({ ...bob, grantId }) },
  { operation: "RevokeUserTokens", as: "colleague", parameters: bob },
  { operation: "SignOutUser", as: "colleague", parameters: bob },
  { operation: "RemoveUser", as: "colleague", parameters: graceIn },
  ...severalSteps,
  {
    operation: "ImportHumanUser",
    as: "colleague",
    body: { ...grace, userId: "u-grace", hashedPassword: { value: HASH } },
    keep: keepUser,
  },
  { operation: "DeleteUserV2", as: "colleague", parameters: { userId: "u-grace" } },
  {
    operation: "BulkImportHumanUsers",
    as: "colleague",
    body: {
      mode: "EACH_BY_ITSELF",
      users: [
        { ...grace, hashedPassword: { value: HASH } },
        { ...grace, userName: "bob" },
      ],
    },
  },
  {
    operation: "AddHumanUserV2",
    body: {
      profile: { givenName: "Grace", familyName: "Hopper" },
      email: { email: "grace@mail.test", returnCode: {} },
      organization: { orgId: "foreign" },
    },
  },
  {
    operation: "CreateUserV2",
    as: "colleague",
    body: { username: "robot", machine: { name: "Robot", accessTokenType: "ACCESS_TOKEN_TYPE_JWT" } },
  },
];
