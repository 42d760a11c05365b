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
import { anyOf, type PageFrame, type PageResponse, refusedIf, renderPage, throttledIf } from "../pages/render";

export function createAccountPage(props: CreateAccountProps, frame: PageFrame): PageResponse {
  return renderPage(frame, (t) => ({
    ...refusedIf(anyOf(props.errors)),
    script: PAGE_SCRIPT,
    title: t("createAccount.title"),
    organizationName: props.organizationName,
    body: <CreateAccountPage t={t} locale={frame.locale} termsHref={frame.links?.termsHref} {...props} />,
  }));
}

export function verifyEmailPage(props: VerifyEmailProps, frame: PageFrame): PageResponse {
  return renderPage(frame, (t) => ({
    ...refusedIf(props.error !== undefined),
    script: PAGE_SCRIPT,
    title: t("verifyEmail.title"),
    organizationName: props.organizationName,
    body: <VerifyEmailPage t={t} locale={frame.locale} {...props} />,
  }));
}

export function confirmEmailPage(props: ConfirmEmailProps, frame: PageFrame): PageResponse {
  return renderPage(frame, (t) => ({
    ...refusedIf(props.error !== undefined),
    script: PAGE_SCRIPT,
    title: t("verifyEmail.linkTitle"),
    organizationName: props.organizationName,
    body: <ConfirmEmailPage t={t} locale={frame.locale} {...props} />,
  }));
}

export function notMePage(props: NotMeProps, frame: PageFrame): PageResponse {
  return renderPage(frame, (t) => ({
    script: withMoments(PAGE_SCRIPT),
    title: t("notMe.title"),
    organizationName: props.organizationName,
    body: <NotMePage t={t} locale={frame.locale} timeZone={frame.timeZone} {...props} />,
  }));
}

export function forgotPasswordPage(props: ForgotPasswordProps, frame: PageFrame): PageResponse {
  return renderPage(frame, (t) => ({
    ...refusedIf(props.error !== undefined),
    script: PAGE_SCRIPT,
    title: t("resetPassword.title"),
    organizationName: props.organizationName,
    body: <ForgotPasswordPage t={t} locale={frame.locale} {...props} />,
  }));
}

export function resetPasswordPage(props: ResetPasswordProps, frame: PageFrame): PageResponse {
  return renderPage(frame, (t) => ({
    ...refusedIf(anyOf(props.errors)),
    script:
      props.expiresAt === undefined ? PAGE_SCRIPT : withMoments(props.passkey ? PASSKEY_PAGE_SCRIPT : PAGE_SCRIPT),
    title: resetPasswordTitle(t, props),
    organizationName: props.organizationName,
    body: <ResetPasswordPage t={t} locale={frame.locale} timeZone={frame.timeZone} {...props} />,
  }));
}

export function changePasswordPage(props: ChangePasswordProps, frame: PageFrame): PageResponse {
  return renderPage(frame, (t) => ({
    ...refusedIf(anyOf(props.errors)),
    ...throttledIf(props.errors?.currentPassword === "throttled", props.retryAfterMinutes),
    script: PAGE_SCRIPT,
    title: t("changePassword.title"),
    organizationName: props.organizationName,
    body: <ChangePasswordPage t={t} locale={frame.locale} {...props} />,
  }));
}

export function donePage(props: DoneProps, frame: PageFrame): PageResponse {
  return renderPage(frame, (t) => ({
    title: doneTitle(t, props.what),
    organizationName: props.organizationName,
    body: <DonePage t={t} {...props} />,
  }));
}
