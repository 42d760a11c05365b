// The errors of a new password, in texts that all pages share.
import type { LoginTranslator } from "../../messages/login";
import type { CharacterKind } from "../../server/directory/password-length";

/**
 * The error. `common`: on the list of common passwords; `personal`: contains names or addresses; `same`: the old one;
 * else the kind of characters that is missing.
 */
export type NewPasswordError =
  | "missing"
  | "invalid"
  | "too-long"
  | "too-short"
  | "common"
  | "personal"
  | "same"
  | CharacterKind;

/** What a new password needs; the lengths are in characters. */
export interface PasswordLengths {
  minimumPasswordLength: number;
  maximumPasswordLength: number;
  requiredCharacters?: readonly CharacterKind[];
}

const SENTENCES = {
  hasUppercase: "newPassword.hasUppercase",
  hasLowercase: "newPassword.hasLowercase",
  hasNumber: "newPassword.hasNumber",
  hasSymbol: "newPassword.hasSymbol",
} as const satisfies Record<CharacterKind, string>;

export function newPasswordHint(t: LoginTranslator, needed: PasswordLengths): string {
  const sentences = (needed.requiredCharacters ?? []).map((kind) => t(SENTENCES[kind]));
  return [t("setup.passwordHint", { count: needed.minimumPasswordLength }), ...sentences].join(" ");
}

export function newPasswordErrorText(t: LoginTranslator, error: NewPasswordError, lengths: PasswordLengths): string {
  switch (error) {
    case "missing":
    case "invalid":
      return t("setup.missingPassword");
    case "too-long":
      return t("setup.tooLong", { count: lengths.maximumPasswordLength });
    case "too-short":
      return t("setup.passwordTooShort", { count: lengths.minimumPasswordLength });
    case "common":
      return t("setup.passwordCommon");
    case "personal":
      return t("setup.passwordPersonal");
    case "same":
      return t("changePassword.same");
    default:
      return t(SENTENCES[error]);
  }
}
