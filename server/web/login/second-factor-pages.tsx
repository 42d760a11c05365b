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
import { type PageFrame, type PageResponse, pageOf, refusedIf, renderPage, throttledIf } from "../pages/render";

/** Returns the page: 422 if a code was rejected, 429 while no attempt is allowed. */
export const codePage = pageOf<CodePageProps>(CodePage, (t, { error }) => ({
  ...refusedIf(error !== undefined),
  ...throttledIf(error === "blocked" || error === "too-many-mails", 60),
  script: PAGE_SCRIPT,
  title: t("secondFactor.title"),
}));

/** Returns the page: 422 if the passkey was rejected. */
export const passkeyPage = pageOf<PasskeyPageProps>(PasskeyPage, (t, props) => ({
  ...refusedIf(props.refused),
  title: t("secondFactor.title"),
  script: PASSKEY_PAGE_SCRIPT,
}));

/** Returns the page: 422 if the passkey was rejected. */
export const newPasskeyPage = pageOf<NewPasskeyProps>(NewPasskeyPage, (t, props) => ({
  ...refusedIf(props.refused),
  title: t("passkey.addTitle"),
  script: PASSKEY_PAGE_SCRIPT,
}));

export const offerPasskeyPage = pageOf<OfferPasskeyProps>(OfferPasskeyPage, (t) => ({
  title: t("passkeyOffer.title"),
  script: PASSKEY_PAGE_SCRIPT,
}));

export const noWayPage = pageOf<NoWayPageProps>(NoWayPage, (t) => ({
  status: 403,
  title: t("secondFactor.title"),
  hasError: true,
}));

export const setUpFactorPage = pageOf<SetUpFactorProps>(SetUpFactorPage, (t) => ({
  script: PASSKEY_PAGE_SCRIPT,
  title: t("setUpFactor.title"),
}));

/** Returns the page: 422 if the code was rejected. */
export function authenticatorAppPage(props: Omit<AuthenticatorAppProps, "qr">, frame: PageFrame): PageResponse {
  return renderPage(frame, (t) => ({
    ...refusedIf(props.error !== undefined),
    script: PAGE_SCRIPT,
    title: t("authenticatorApp.title"),
    organizationName: props.organizationName,
    body: <AuthenticatorAppPage t={t} locale={frame.locale} qr={qrCode(props.uri)} {...props} />,
  }));
}

export const recoveryCodesPage = pageOf<RecoveryCodesProps>(RecoveryCodesPage, (t) => ({
  script: PAGE_SCRIPT,
  title: t("recoveryCodes.title"),
}));

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
