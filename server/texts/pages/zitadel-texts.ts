/**
 * The page texts under the names that ZITADEL's clients know. A text with a counterpart is the same text; others are
 * stored in the group `zitadel` and returned, so that a client reads what it wrote, and appear on no page.
 */
import type { StoredWords } from "../../storage/text/login-texts";
import { flatPageTexts, type GroupedPageTexts } from "./page-texts";

/** The group of stored texts that appear on no page. */
const UNUSED = "zitadel";

/** The keys of each of ZITADEL's groups, with `=` and the name of the counterpart, `group.key`. */
const GROUPS: Readonly<Record<string, string>> = {
  selectAccountText:
    "title=selectAccount.title description titleLinkingProcess descriptionLinkingProcess otherUser=selectAccount.another sessionStateActive=selectAccount.active sessionStateInactive=selectAccount.ended userMustBeMemberOfOrg",
  loginText:
    "title=signIn.title description titleLinkingProcess descriptionLinkingProcess userMustBeMemberOfOrg loginNameLabel=common.loginName registerButtonText=signIn.createAccount nextButtonText=common.continue externalUserDescription=provider.others userNamePlaceholder loginNamePlaceholder",
  passwordText:
    "title description passwordLabel=common.password resetLinkText=signIn.forgotPassword backButtonText=signIn.notYou nextButtonText=common.signIn minLength hasUppercase=newPassword.hasUppercase hasLowercase=newPassword.hasLowercase hasNumber=newPassword.hasNumber hasSymbol=newPassword.hasSymbol confirmation",
  usernameChangeText: "title description usernameLabel cancelButtonText nextButtonText",
  usernameChangeDoneText: "title description nextButtonText",
  initPasswordText:
    "title=resetPassword.title description codeLabel=code.label newPasswordLabel=resetPassword.newPassword newPasswordConfirmLabel nextButtonText=resetPassword.submit resendButtonText=code.resend",
  initPasswordDoneText:
    "title=done.passwordResetTitle description=done.passwordResetText nextButtonText cancelButtonText",
  emailVerificationText:
    "title=verifyEmail.title description codeLabel nextButtonText=verifyEmail.submit resendButtonText",
  emailVerificationDoneText:
    "title=done.emailConfirmedTitle description=done.emailConfirmedText nextButtonText cancelButtonText loginButtonText",
  initializeUserText:
    "title=resetPassword.first description codeLabel newPasswordLabel newPasswordConfirmLabel resendButtonText nextButtonText",
  initializeDoneText: "title description cancelButtonText nextButtonText",
  initMfaPromptText:
    "title=setUpFactor.title description=setUpFactor.suggested otpOption=setUpFactor.app u2fOption skipButtonText=setUpFactor.later nextButtonText",
  initMfaOtpText:
    "title=authenticatorApp.title description=authenticatorApp.scan descriptionOtp secretLabel=authenticatorApp.key codeLabel nextButtonText cancelButtonText",
  initMfaU2fText: "title description tokenNameLabel notSupported registerTokenButtonText errorRetry",
  initMfaDoneText: "title description cancelButtonText nextButtonText",
  mfaProvidersText: "chooseOther=secondFactor.another otp u2f=secondFactor.passkey",
  verifyMfaOtpText: "title=secondFactor.title description codeLabel=secondFactor.totp nextButtonText",
  verifyMfaU2fText: "title description validateTokenText notSupported errorRetry",
  passwordlessText:
    "title=passkey.signIn description=passkey.text loginWithPwButtonText validateTokenButtonText=passkey.use notSupported=passkey.unsupported errorRetry=passkey.nothing",
  passwordChangeText:
    "title=changePassword.title description=changePassword.required oldPasswordLabel=changePassword.current newPasswordLabel newPasswordConfirmLabel cancelButtonText nextButtonText=changePassword.submit expiredDescription=changePassword.expired",
  passwordChangeDoneText: "title=done.passwordChangedTitle description=done.passwordChangedText nextButtonText",
  passwordResetDoneText: "title description nextButtonText",
  registrationOptionText: "title description userNameButtonText externalLoginDescription loginButtonText",
  registrationUserText:
    "title=createAccount.title description descriptionOrgRegister firstnameLabel=common.givenName lastnameLabel=common.familyName emailLabel=common.email usernameLabel languageLabel=common.language genderLabel passwordLabel passwordConfirmLabel tosAndPrivacyLabel tosConfirm tosLinkText privacyConfirm privacyLinkText nextButtonText=createAccount.submit backButtonText=createAccount.existing",
  registrationOrgText:
    "title description orgnameLabel firstnameLabel lastnameLabel usernameLabel emailLabel passwordLabel passwordConfirmLabel tosAndPrivacyLabel tosConfirm tosLinkText privacyConfirm privacyLinkText saveButtonText",
  linkingUserDoneText: "title description cancelButtonText nextButtonText",
  externalUserNotFoundText:
    "title description linkButtonText autoRegisterButtonText tosAndPrivacyLabel tosConfirm tosLinkText privacyLinkText privacyConfirm",
  successLoginText: "title autoRedirectDescription redirectedDescription nextButtonText",
  logoutText: "title=loggedOut.title description=loggedOut.explanation loginButtonText=loggedOut.again",
  footerText: "tos=common.terms privacyPolicy=common.privacy help=common.help supportEmail",
  passwordlessPromptText:
    "title=passkeyOffer.title description=passkeyOffer.text descriptionInit passwordlessButtonText nextButtonText skipButtonText",
  passwordlessRegistrationText:
    "title=passkey.addTitle description=passkey.addText tokenNameLabel notSupported registerTokenButtonText=passkey.add errorRetry=passkey.notAdded",
  passwordlessRegistrationDoneText:
    "title=done.passkeyAddedTitle description=done.passkeyAddedText nextButtonText cancelButtonText descriptionClose",
  externalRegistrationUserOverviewText:
    "title description emailLabel usernameLabel firstnameLabel lastnameLabel nicknameLabel languageLabel phoneLabel tosAndPrivacyLabel tosConfirm tosLinkText privacyLinkText backButtonText nextButtonText privacyConfirm",
  linkingUserPromptText: "title description linkButtonText otherButtonText",
};

/** All of ZITADEL's texts by `group.key`, with the name of the counterpart; undefined without one. */
export const ZITADEL_TEXTS: ReadonlyMap<string, string | undefined> = new Map(
  Object.entries(GROUPS).flatMap(([group, keys]) =>
    keys.split(" ").map((entry): [string, string | undefined] => {
      const [key, own] = entry.split("=");
      return [`${group}.${key}`, own];
    }),
  ),
);

/** Returns the names of the texts that appear on no page. */
export const zitadelTextsWithoutCounterpart = (): string[] =>
  [...ZITADEL_TEXTS].flatMap(([name, own]) => (own === undefined ? [name] : []));

const camelCase = (name: string) => name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/** Moves ZITADEL's groups in a request into one, by `group.key`, in either spelling of the names. */
export function gatherZitadelTexts(body: unknown): unknown {
  if (typeof body !== "object" || body === null || Array.isArray(body)) return body;
  const isTheirs = ([name, texts]: [string, unknown]) =>
    camelCase(name) in GROUPS && typeof texts === "object" && texts !== null;
  const theirs = Object.entries(body).filter(isTheirs);
  if (theirs.length === 0) return body;
  const texts = theirs.flatMap(([group, keys]) =>
    Object.entries(keys as object).map(([key, text]) => [`${camelCase(group)}.${camelCase(key)}`, text]),
  );
  const others = Object.entries(body).filter((entry) => !isTheirs(entry));
  return Object.fromEntries([...others, [UNUSED, Object.fromEntries(texts)]]);
}

/**
 * Returns the texts of a request as they are stored: those with a counterpart under its name, unless the request has
 * that one itself.
 * @param theirs ZITADEL's texts by `group.key`; unknown ones are left out
 */
export function withZitadelTexts(
  own: Parameters<typeof flatPageTexts>[0],
  theirs: Readonly<Record<string, string | undefined>>,
): StoredWords {
  const named = Object.entries(theirs).flatMap(([name, text]) => {
    if (!ZITADEL_TEXTS.has(name) || !text) return [];
    return [[ZITADEL_TEXTS.get(name) ?? `${UNUSED}.${name}`, text] as const];
  });
  return { ...Object.fromEntries(named), ...flatPageTexts({ ...own, [UNUSED]: undefined }) };
}

/** Returns the stored texts that appear on no page, by their stored names. */
export const unusedTextsIn = (stored: StoredWords): StoredWords =>
  Object.fromEntries(Object.entries(stored).filter(([name]) => name.startsWith(`${UNUSED}.`)));

/** Returns texts in ZITADEL's groups. */
export function asZitadelTexts(own: GroupedPageTexts, unused: StoredWords): GroupedPageTexts {
  const words = flatPageTexts(own);
  const groups: Record<string, Record<string, string>> = {};
  for (const [name, counterpart] of ZITADEL_TEXTS) {
    const text = counterpart === undefined ? unused[`${UNUSED}.${name}`] : words[counterpart];
    const [group = "", key = ""] = name.split(".");
    if (text) groups[group] = { ...groups[group], [key]: text };
  }
  return groups;
}
