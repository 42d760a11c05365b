// What is wrong with a new password, in words that all pages share.
import type { LoginTranslator } from "../../messages/login";

/** `common`: on the list of passwords everybody tries; `personal`: made of names and addresses; `same`: the old one. */
export type NewPasswordError = "missing" | "invalid" | "too-long" | "too-short" | "common" | "personal" | "same";

/** In characters. */
export interface PasswordLengths {
  minimumPasswordLength: number;
  maximumPasswordLength: number;
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
  }
}
