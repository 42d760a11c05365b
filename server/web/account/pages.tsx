// Renders the account pages: from values to status, headers and HTML.
import { AccountActivityPage, type AccountActivityProps } from "../../../components/login/account/activity-page";
import { AccountAppsPage, type AccountAppsProps } from "../../../components/login/account/apps-page";
import {
  AccountConfirmPage,
  type AccountConfirmProps,
  questionTitle,
} from "../../../components/login/account/confirm-page";
import {
  AccountEmailPage,
  type AccountEmailProps,
  AccountPhonePage,
  type AccountPhoneProps,
  AddressLinkPage,
  type AddressLinkProps,
  ChangeEmailPage,
  type ChangeEmailProps,
} from "../../../components/login/account/contact-pages";
import { AccountOverviewPage, type AccountOverviewProps } from "../../../components/login/account/overview-page";
import { AccountProfilePage, type AccountProfileProps } from "../../../components/login/account/profile-page";
import { AccountSecurityPage, type AccountSecurityProps } from "../../../components/login/account/security-page";
import { AccountSessionsPage, type AccountSessionsProps } from "../../../components/login/account/sessions-page";
import { sectionTitle } from "../../../components/login/account-frame";
import { ZONE_PAGE_SCRIPT } from "../../../components/login/page-script";
import type { LoginTranslator } from "../../../messages/login";
import {
  anyOf,
  type PageContent,
  type PageFrame,
  type PageResponse,
  refusedIf,
  renderPage,
  throttledIf,
} from "../pages/render";

function ownPage(
  frame: PageFrame,
  organizationName: string | undefined,
  describe: (t: LoginTranslator) => PageContent,
): PageResponse {
  return renderPage(frame, (t) => ({ sheet: "account", script: ZONE_PAGE_SCRIPT, organizationName, ...describe(t) }));
}

export function accountOverviewPage(props: AccountOverviewProps, frame: PageFrame): PageResponse {
  return ownPage(frame, props.organizationName, (t) => ({
    title: sectionTitle(t, "overview"),
    body: <AccountOverviewPage t={t} {...props} />,
  }));
}

export function accountProfilePage(props: AccountProfileProps, frame: PageFrame): PageResponse {
  return ownPage(frame, props.organizationName, (t) => ({
    ...refusedIf(anyOf(props.errors)),
    // The page has no password, code or copy button, sending it twice has no further effect, and the list of all time
    // zones makes it the largest page already.
    script: undefined,
    title: sectionTitle(t, "profile"),
    body: <AccountProfilePage t={t} locale={frame.locale} {...props} />,
  }));
}

export function accountEmailPage(props: AccountEmailProps, frame: PageFrame): PageResponse {
  return ownPage(frame, props.organizationName, (t) => ({
    ...refusedIf(props.error !== undefined),
    title: sectionTitle(t, "email"),
    body: <AccountEmailPage t={t} {...props} />,
  }));
}

export function accountPhonePage(props: AccountPhoneProps, frame: PageFrame): PageResponse {
  return ownPage(frame, props.organizationName, (t) => ({
    ...refusedIf(anyOf(props.errors)),
    title: sectionTitle(t, "phone"),
    body: <AccountPhonePage t={t} {...props} />,
  }));
}

export function changeEmailPage(props: ChangeEmailProps, frame: PageFrame): PageResponse {
  return ownPage(frame, props.organizationName, (t) => ({
    ...refusedIf(anyOf(props.errors)),
    ...throttledIf(props.errors?.currentPassword === "throttled", props.retryAfterMinutes),
    title: t("account.changeEmail"),
    body: <ChangeEmailPage t={t} {...props} />,
  }));
}

export function addressLinkPage(props: AddressLinkProps, frame: PageFrame): PageResponse {
  return ownPage(frame, props.organizationName, (t) => ({
    title: t("verifyEmail.linkTitle"),
    body: <AddressLinkPage t={t} {...props} />,
  }));
}

export function accountSecurityPage(props: AccountSecurityProps, frame: PageFrame): PageResponse {
  return ownPage(frame, props.organizationName, (t) => ({
    ...refusedIf(props.linkError !== undefined),
    title: sectionTitle(t, "security"),
    body: <AccountSecurityPage t={t} locale={frame.locale} {...props} />,
  }));
}

export function accountSessionsPage(props: AccountSessionsProps, frame: PageFrame): PageResponse {
  return ownPage(frame, props.organizationName, (t) => ({
    title: sectionTitle(t, "sessions"),
    body: <AccountSessionsPage t={t} locale={frame.locale} {...props} />,
  }));
}

export function accountAppsPage(props: AccountAppsProps, frame: PageFrame): PageResponse {
  return ownPage(frame, props.organizationName, (t) => ({
    title: sectionTitle(t, "apps"),
    body: <AccountAppsPage t={t} locale={frame.locale} {...props} />,
  }));
}

export function accountActivityPage(props: AccountActivityProps, frame: PageFrame): PageResponse {
  return ownPage(frame, props.organizationName, (t) => ({
    title: sectionTitle(t, "activity"),
    body: <AccountActivityPage t={t} locale={frame.locale} {...props} />,
  }));
}

export function accountConfirmPage(props: AccountConfirmProps, frame: PageFrame): PageResponse {
  return ownPage(frame, props.organizationName, (t) => ({
    title: questionTitle(t, props.question),
    body: <AccountConfirmPage t={t} {...props} />,
  }));
}
