// The errors of a new password, in texts that all pages share.
import type { LoginTranslator } from "../../messages/login";

/**
 * The error. `common`: on the list of common passwords; `personal`: contains names or addresses; `same`: the old one.
 */
export type NewPasswordError = "missing" | "invalid" | "too-long" | "too-short" | "common" | "personal" | "same";

/** The lengths in characters. */
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
