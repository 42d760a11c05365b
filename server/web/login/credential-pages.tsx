// Renders the pages of new accounts and passwords: from values to status, headers and HTML.
import { ChangePasswordPage, type ChangePasswordProps } from "../../../components/login/change-password-page";
import { CreateAccountPage, type CreateAccountProps } from "../../../components/login/create-account-page";
import { NotMePage, type NotMeProps } from "../../../components/login/not-me-page";
import { DonePage, type DoneProps, doneTitle } from "../../../components/login/notices";
import { PAGE_SCRIPT, PASSKEY_PAGE_SCRIPT, withMoments } from "../../../components/login/page-script";
import {
  ForgotPasswordPage,
  type ForgotPasswordProps,
  ResetPasswordPage,
  type ResetPasswordProps,
  resetPasswordTitle,
} from "../../../components/login/reset-password-pages";
import {
  ConfirmEmailPage,
  type ConfirmEmailProps,
  VerifyEmailPage,
  type VerifyEmailProps,
} from "../../../components/login/verify-email-page";
import { anyOf, type PageFrame, type PageResponse, pageOf, refusedIf, renderPage, throttledIf } from "../pages/render";

export function createAccountPage(props: CreateAccountProps, frame: PageFrame): PageResponse {
  return renderPage(frame, (t) => ({
    ...refusedIf(anyOf(props.errors)),
    script: PAGE_SCRIPT,
    title: t("createAccount.title"),
    organizationName: props.organizationName,
    body: <CreateAccountPage t={t} locale={frame.locale} termsHref={frame.links?.termsHref} {...props} />,
  }));
}

export const verifyEmailPage = pageOf<VerifyEmailProps>(VerifyEmailPage, (t, props) => ({
  ...refusedIf(props.error !== undefined),
  script: PAGE_SCRIPT,
  title: t("verifyEmail.title"),
}));

export const confirmEmailPage = pageOf<ConfirmEmailProps>(ConfirmEmailPage, (t, props) => ({
  ...refusedIf(props.error !== undefined),
  script: PAGE_SCRIPT,
  title: t("verifyEmail.linkTitle"),
}));

export const notMePage = pageOf<NotMeProps>(NotMePage, (t) => ({
  script: withMoments(PAGE_SCRIPT),
  title: t("notMe.title"),
}));

export const forgotPasswordPage = pageOf<ForgotPasswordProps>(ForgotPasswordPage, (t, props) => ({
  ...refusedIf(props.error !== undefined),
  script: PAGE_SCRIPT,
  title: t("resetPassword.title"),
}));

export const resetPasswordPage = pageOf<ResetPasswordProps>(ResetPasswordPage, (t, props) => ({
  ...refusedIf(anyOf(props.errors)),
  script: props.expiresAt === undefined ? PAGE_SCRIPT : withMoments(props.passkey ? PASSKEY_PAGE_SCRIPT : PAGE_SCRIPT),
  title: resetPasswordTitle(t, props),
}));

export const changePasswordPage = pageOf<ChangePasswordProps>(ChangePasswordPage, (t, props) => ({
  ...refusedIf(anyOf(props.errors)),
  ...throttledIf(props.errors?.currentPassword === "throttled", props.retryAfterMinutes),
  script: PAGE_SCRIPT,
  title: t("changePassword.title"),
}));

export const donePage = pageOf<DoneProps>(DonePage, (t, props) => ({
  title: doneTitle(t, props.what),
}));
