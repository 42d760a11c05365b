// Renders the pages of second factors: from values to status, headers and HTML.
import { create } from "qrcode";
import {
  AuthenticatorAppPage,
  type AuthenticatorAppProps,
  type QrCode,
} from "../../../components/login/authenticator-app-page";
import { PAGE_SCRIPT, PASSKEY_PAGE_SCRIPT } from "../../../components/login/page-script";
import {
  NewPasskeyPage,
  type NewPasskeyProps,
  OfferPasskeyPage,
  type OfferPasskeyProps,
  PasskeyPage,
  type PasskeyPageProps,
} from "../../../components/login/passkey-pages";
import { RecoveryCodesPage, type RecoveryCodesProps } from "../../../components/login/recovery-codes-page";
import {
  CodePage,
  type CodePageProps,
  NoWayPage,
  type NoWayPageProps,
} from "../../../components/login/second-factor-page";
import { SetUpFactorPage, type SetUpFactorProps } from "../../../components/login/set-up-factor-page";
import { type PageFrame, type PageResponse, renderPage } from "../pages/render";

/** Returns the page: 422 if a code was rejected, 429 while no attempt is allowed. */
export function codePage(props: CodePageProps, frame: PageFrame): PageResponse {
  const { error } = props;
  const throttled = error === "blocked" || error === "too-many-mails";
  return renderPage(frame, (t) => ({
    status: throttled ? 429 : error === undefined ? 200 : 422,
    retryAfter: throttled ? 3600 : undefined,
    script: PAGE_SCRIPT,
    title: t("secondFactor.title"),
    hasError: error !== undefined,
    organizationName: props.organizationName,
    body: <CodePage t={t} locale={frame.locale} {...props} />,
  }));
}

/** Returns the page: 422 if the passkey was rejected. */
export function passkeyPage(props: PasskeyPageProps, frame: PageFrame): PageResponse {
  return renderPage(frame, (t) => ({
    status: props.refused ? 422 : 200,
    title: t("secondFactor.title"),
    hasError: props.refused,
    organizationName: props.organizationName,
    script: PASSKEY_PAGE_SCRIPT,
    body: <PasskeyPage t={t} locale={frame.locale} {...props} />,
  }));
}

/** Returns the page: 422 if the passkey was rejected. */
export function newPasskeyPage(props: NewPasskeyProps, frame: PageFrame): PageResponse {
  return renderPage(frame, (t) => ({
    status: props.refused ? 422 : 200,
    title: t("passkey.addTitle"),
    hasError: props.refused,
    organizationName: props.organizationName,
    script: PASSKEY_PAGE_SCRIPT,
    body: <NewPasskeyPage t={t} locale={frame.locale} {...props} />,
  }));
}

export function offerPasskeyPage(props: OfferPasskeyProps, frame: PageFrame): PageResponse {
  return renderPage(frame, (t) => ({
    title: t("passkeyOffer.title"),
    organizationName: props.organizationName,
    script: PASSKEY_PAGE_SCRIPT,
    body: <OfferPasskeyPage t={t} locale={frame.locale} {...props} />,
  }));
}

export function noWayPage(props: NoWayPageProps, frame: PageFrame): PageResponse {
  return renderPage(frame, (t) => ({
    status: 403,
    title: t("secondFactor.title"),
    hasError: true,
    organizationName: props.organizationName,
    body: <NoWayPage t={t} {...props} />,
  }));
}

export function setUpFactorPage(props: SetUpFactorProps, frame: PageFrame): PageResponse {
  return renderPage(frame, (t) => ({
    script: PASSKEY_PAGE_SCRIPT,
    title: t("setUpFactor.title"),
    organizationName: props.organizationName,
    body: <SetUpFactorPage t={t} locale={frame.locale} {...props} />,
  }));
}

/** Returns the page: 422 if the code was rejected. */
export function authenticatorAppPage(props: Omit<AuthenticatorAppProps, "qr">, frame: PageFrame): PageResponse {
  return renderPage(frame, (t) => ({
    status: props.error === undefined ? 200 : 422,
    script: PAGE_SCRIPT,
    title: t("authenticatorApp.title"),
    hasError: props.error !== undefined,
    organizationName: props.organizationName,
    body: <AuthenticatorAppPage t={t} locale={frame.locale} qr={qrCode(props.uri)} {...props} />,
  }));
}

export function recoveryCodesPage(props: RecoveryCodesProps, frame: PageFrame): PageResponse {
  return renderPage(frame, (t) => ({
    script: PAGE_SCRIPT,
    title: t("recoveryCodes.title"),
    organizationName: props.organizationName,
    body: <RecoveryCodesPage t={t} locale={frame.locale} {...props} />,
  }));
}

/**
 * Returns the QR code as one SVG path: each run of dark modules in a row is one stroke, which is far shorter than a
 * square per module.
 */
function qrCode(text: string): QrCode {
  const { size, data } = create(text, { errorCorrectionLevel: "M" }).modules;
  let path = "";
  for (let y = 0; y < size; y++) {
    let end: number | undefined;
    for (let x = 0; x < size; x++) {
      const start = x;
      while (x < size && data[y * size + x]) x++;
      if (x === start) continue;
      path += `${end === undefined ? `M${start} ${y}` : `m${start - end} 0`}h${x - start}`;
      end = x;
    }
  }
  return { size, path };
}
