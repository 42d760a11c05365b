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
import { anyOf, pageOf, refusedIf, throttledIf } from "../pages/render";

const accountPage = <Props extends { organizationName?: string }>(
  Page: Parameters<typeof pageOf<Props>>[0],
  describe: Parameters<typeof pageOf<Props>>[1],
) => pageOf<Props>(Page, (t, props) => ({ sheet: "account", script: ZONE_PAGE_SCRIPT, ...describe(t, props) }));

export const accountOverviewPage = accountPage<AccountOverviewProps>(AccountOverviewPage, (t) => ({
  title: sectionTitle(t, "overview"),
}));

export const accountProfilePage = accountPage<AccountProfileProps>(AccountProfilePage, (t, props) => ({
  ...refusedIf(anyOf(props.errors)),
  // The page has no password, code or copy button, sending it twice has no further effect, and the list of all time
  // zones makes it the largest page already.
  script: undefined,
  title: sectionTitle(t, "profile"),
}));

export const accountEmailPage = accountPage<AccountEmailProps>(AccountEmailPage, (t, props) => ({
  ...refusedIf(props.error !== undefined),
  title: sectionTitle(t, "email"),
}));

export const accountPhonePage = accountPage<AccountPhoneProps>(AccountPhonePage, (t, props) => ({
  ...refusedIf(anyOf(props.errors)),
  title: sectionTitle(t, "phone"),
}));

export const changeEmailPage = accountPage<ChangeEmailProps>(ChangeEmailPage, (t, props) => ({
  ...refusedIf(anyOf(props.errors)),
  ...throttledIf(props.errors?.currentPassword === "throttled", props.retryAfterMinutes),
  title: t("account.changeEmail"),
}));

export const addressLinkPage = accountPage<AddressLinkProps>(AddressLinkPage, (t) => ({
  title: t("verifyEmail.linkTitle"),
}));

export const accountSecurityPage = accountPage<AccountSecurityProps>(AccountSecurityPage, (t, props) => ({
  ...refusedIf(props.linkError !== undefined),
  title: sectionTitle(t, "security"),
}));

export const accountSessionsPage = accountPage<AccountSessionsProps>(AccountSessionsPage, (t) => ({
  title: sectionTitle(t, "sessions"),
}));

export const accountAppsPage = accountPage<AccountAppsProps>(AccountAppsPage, (t) => ({
  title: sectionTitle(t, "apps"),
}));

export const accountActivityPage = accountPage<AccountActivityProps>(AccountActivityPage, (t) => ({
  title: sectionTitle(t, "activity"),
}));

export const accountConfirmPage = accountPage<AccountConfirmProps>(AccountConfirmPage, (t, props) => ({
  title: questionTitle(t, props.question),
}));
