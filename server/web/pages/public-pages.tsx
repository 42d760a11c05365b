// Renders the public pages: from values to status, headers and HTML. This module determines title and status; the
// routes choose the values.
import { ContinuePage, type ContinueProps } from "../../../components/login/continue-page";
import { type ErrorKind, ErrorPage, type ErrorProps, errorTitle } from "../../../components/login/error-page";
import {
  FORM_POST_SCRIPT,
  FormPostPage,
  type FormPostProps,
  formPostTitle,
  LeavingPage,
  type LeavingProps,
} from "../../../components/login/form-post-page";
import { LogoutPage, type LogoutProps } from "../../../components/login/logout-page";
import { HomePage, type HomeProps, LoggedOutPage, type LoggedOutProps } from "../../../components/login/notices";
import { PAGE_SCRIPT, PASSKEY_PAGE_SCRIPT, withMoments } from "../../../components/login/page-script";
import { SelectAccountPage, type SelectAccountProps } from "../../../components/login/select-account-page";
import { SetupPage, type SetupProps } from "../../../components/login/setup-page";
import { SignInPage, type SignInProps } from "../../../components/login/sign-in-page";
import { SIGNING_OUT_SCRIPT, SigningOutPage, type SigningOutProps } from "../../../components/login/signing-out-page";
import { RETRY_AFTER } from "../../protocol/retry-after";
import { anyOf, type PageFrame, type PageResponse, pageOf, refusedIf, renderPage, throttledIf } from "./render";

const ERROR_STATUS: Record<ErrorKind, number> = {
  "invalid-client": 400,
  "invalid-redirect-uri": 400,
  "invalid-request": 400,
  "invalid-logout-request": 400,
  "expired-flow": 410,
  "setup-link": 410,
  "mailed-link": 410,
  "cross-site": 403,
  "wrong-host": 421,
  "not-found": 404,
  "method-not-allowed": 405,
  "too-large": 413,
  "too-many": 429,
  unavailable: 503,
  unexpected: 500,
};

const TOO_MANY_RETRY = 60;

/** Returns the page: 200; 429 with Retry-After while throttled, 503 while passwords cannot be checked. */
export const signInPage = pageOf<SignInProps>(SignInPage, (t, { error, retryAfterMinutes, passkey }) => ({
  ...((error === "busy" || error === "unavailable") && { status: 503, retryAfter: RETRY_AFTER }),
  ...throttledIf(error === "throttled", retryAfterMinutes),
  title: t("signIn.title"),
  script: passkey ? PASSKEY_PAGE_SCRIPT : PAGE_SCRIPT,
  hasError: error !== undefined,
}));

export const selectAccountPage = pageOf<SelectAccountProps>(SelectAccountPage, (t) => ({
  script: PAGE_SCRIPT,
  title: t("selectAccount.title"),
}));

export const continuePage = pageOf<ContinueProps>(ContinuePage, (t) => ({
  script: PAGE_SCRIPT,
  title: t("continuePage.title"),
}));

/**
 * Returns the page. Its form may only go to `redirectUri`, independent of the frame; a SAML provider may redirect it to
 * another of its origins.
 */
export function formPostPage(props: FormPostProps, frame: PageFrame): PageResponse {
  return renderPage({ ...frame, formActionOrigin: props.redirectUri, languages: undefined }, (t) => ({
    title: formPostTitle(t, props),
    script: FORM_POST_SCRIPT,
    leadsAnywhere: props.provider !== undefined,
    body: <FormPostPage t={t} {...props} />,
  }));
}

/** Returns the page: 422 if a field was rejected. */
export function setupPage(props: SetupProps, frame: PageFrame): PageResponse {
  return renderPage(frame, (t) => ({
    ...refusedIf(anyOf(props.errors)),
    script: PAGE_SCRIPT,
    title: t("setup.title"),
    body: <SetupPage t={t} locale={frame.locale} {...props} />,
  }));
}

export const logoutPage = pageOf<LogoutProps>(LogoutPage, (t) => ({
  script: PAGE_SCRIPT,
  title: t("logout.title"),
}));

export const loggedOutPage = pageOf<LoggedOutProps>(LoggedOutPage, (t) => ({
  title: t("loggedOut.title"),
}));

/** Returns the page, from which the browser goes on by itself. */
export function signingOutPage(props: SigningOutProps, frame: PageFrame): PageResponse {
  const page = renderPage(frame, (t) => ({
    title: t("loggedOut.title"),
    script: SIGNING_OUT_SCRIPT,
    frames: props.frames,
    body: <SigningOutPage t={t} {...props} />,
  }));
  return { ...page, headers: { ...page.headers, refresh: `2; url=${props.next}` } };
}

/** Returns the page, from which the browser goes on at once; the back button leads to the page before it. */
export function leavingPage(props: LeavingProps, frame: PageFrame): PageResponse {
  const page = renderPage({ ...frame, languages: undefined }, (t) => ({
    title: formPostTitle(t, props),
    body: <LeavingPage t={t} {...props} />,
  }));
  return { ...page, headers: { ...page.headers, refresh: `0; url=${props.next}` } };
}

/** Returns the page. The status depends on the kind; during an outage, the browser reloads the page automatically. */
export function errorPage(props: ErrorProps, frame: PageFrame): PageResponse {
  return renderPage(frame, (t) => ({
    status: ERROR_STATUS[props.kind],
    retryAfter: props.kind === "unavailable" ? RETRY_AFTER : props.kind === "too-many" ? TOO_MANY_RETRY : undefined,
    refresh: props.kind === "unavailable",
    script: withMoments(PAGE_SCRIPT),
    title: errorTitle(t, props.kind),
    hasError: true,
    organizationName: props.organizationName,
    body: <ErrorPage t={t} locale={frame.locale} requestId={frame.requestId} timeZone={frame.timeZone} {...props} />,
  }));
}

export function homePage(props: HomeProps, frame: PageFrame): PageResponse {
  return renderPage(frame, (t) => ({ title: t("home.title"), body: <HomePage t={t} {...props} /> }));
}
