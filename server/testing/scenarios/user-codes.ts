/** A user whose pages belong to the caller: it receives the codes and submits them. */
import { codeAt } from "../factors";
import type { Step } from "./step";

const grace = {
  userId: "u-grace",
  username: "grace",
  profile: { givenName: "Grace", familyName: "Hopper" },
  email: { email: "grace@mail.test" },
};
const parameters = { userId: "u-grace" };
const keepCode: Step["keep"] = ({ verificationCode }, memory) => {
  memory.code = verificationCode;
};
const codeIn = ({ code = "" }: Record<string, string>) => ({ verificationCode: code });

/** Returns the current code of the app; the clock of a scenario is real. */
const codeNow = (secret: string) => (secret === "" ? "000000" : codeAt(secret, Date.now()));

export const userCodeSteps: Step[] = [
  { operation: "AddHumanUserV2", as: "colleague", body: grace },
  {
    operation: "UpdateHumanUser",
    as: "colleague",
    parameters,
    body: { username: "hopper", profile: { nickName: "Amazing" }, phone: { phone: "+15551234567", returnCode: {} } },
  },
  {
    operation: "UpdateUser",
    as: "colleague",
    parameters,
    body: { human: { email: { email: "h@mail.test", returnCode: {} } } },
  },
  {
    operation: "SetEmail",
    as: "colleague",
    parameters,
    body: { email: "g@mail.test", sendCode: { urlTemplate: "https://acme.test/verify?code={{.Code}}" } },
  },
  { operation: "ResendEmailCode", as: "colleague", parameters, body: { returnCode: {} }, keep: keepCode },
  { operation: "VerifyEmail", as: "colleague", parameters, body: codeIn },
  { operation: "AddOTPEmail", as: "colleague", parameters },
  { operation: "RemoveOTPEmail", as: "colleague", parameters },
  { operation: "AddOTPSMS", as: "colleague", parameters, refused: "user.phone_unverified" },
  { operation: "RemoveOTPSMS", as: "colleague", parameters, refused: "credential.not_found" },
  {
    operation: "RegisterTOTP",
    as: "colleague",
    parameters,
    keep: ({ secret }, memory) => {
      memory.secret = secret;
    },
  },
  {
    operation: "VerifyTOTPRegistration",
    as: "colleague",
    parameters,
    body: ({ secret = "" }: Record<string, string>) => ({ code: codeNow(secret), name: "Phone" }),
  },
  { operation: "RemoveTOTP", as: "colleague", parameters },
  { operation: "SetPhone", as: "colleague", parameters, body: { phone: "+15551234567" } },
  { operation: "ResendPhoneCode", as: "colleague", parameters, body: { returnCode: {} }, keep: keepCode },
  { operation: "VerifyPhone", as: "colleague", parameters, body: codeIn },
  { operation: "RemovePhone", as: "colleague", parameters },
  {
    operation: "CreateInviteCode",
    as: "colleague",
    parameters,
    body: { sendCode: { applicationName: "Shop", urlTemplate: "https://acme.test/join?code={{.Code}}" } },
  },
  { operation: "ResendInviteCode", as: "colleague", parameters },
  {
    operation: "CreateInviteCode",
    as: "colleague",
    parameters,
    body: { returnCode: {} },
    keep: ({ inviteCode }, memory) => {
      memory.code = inviteCode;
    },
  },
  { operation: "VerifyInviteCode", as: "colleague", parameters, body: codeIn },
  { operation: "AddPasswordlessRegistration", as: "colleague", parameters },
  { operation: "CreatePasskeyRegistrationLink", as: "colleague", parameters, body: { returnCode: {} } },
  { operation: "SendPasswordlessRegistration", as: "colleague", parameters },
  { operation: "PasswordReset", as: "colleague", parameters, body: { returnCode: {} }, keep: keepCode },
  {
    operation: "SetPassword",
    as: "colleague",
    parameters,
    body: (memory: Record<string, string>) => ({
      newPassword: { password: "a lamp, a river and a tram" },
      ...codeIn(memory),
    }),
  },
];
