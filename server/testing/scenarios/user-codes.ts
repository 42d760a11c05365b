/** A person whose pages are the caller's own: codes are returned to it, and handed in by it. */
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

export const userCodeSteps: Step[] = [
  { operation: "AddHumanUserV2", as: "colleague", body: grace },
  {
    operation: "SetEmail",
    as: "colleague",
    parameters,
    body: { email: "g@mail.test", sendCode: { urlTemplate: "https://acme.test/verify?code={{.Code}}" } },
  },
  { operation: "ResendEmailCode", as: "colleague", parameters, body: { returnCode: {} }, keep: keepCode },
  { operation: "VerifyEmail", as: "colleague", parameters, body: codeIn },
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
