// Pages that only inform: a completed step, signed out, and the home page.
import type { LoginTranslator } from "../../messages/login";
import { linkTarget } from "../ui/links";
import { bdi, plainName } from "../ui/user-text";

const DONE = {
  "password-reset": "done.passwordReset",
  "password-changed": "done.passwordChanged",
  "email-confirmed": "done.emailConfirmed",
  "account-ready": "done.accountReady",
  "passkey-added": "done.passkeyAdded",
  secured: "done.secured",
  "secured-ask": "done.securedAsk",
} as const;

export type DoneKind = keyof typeof DONE;

export interface DoneProps {
  what: DoneKind;
  /** The link to continue, if there is one. */
  continueHref?: string;
  organizationName?: string;
}

/** A completed step, and the link to continue. */
export function DonePage({ t, what, continueHref }: DoneProps & { t: LoginTranslator }) {
  const href = linkTarget(continueHref);
  return (
    <>
      <h1>{doneTitle(t, what)}</h1>
      <p>{t(`${DONE[what]}.text`)}</p>
      {href && (
        <a className="primary" id="continue" href={href}>
          {t("common.continue")}
        </a>
      )}
    </>
  );
}

/** Returns the title of the document and of the page. */
export function doneTitle(t: LoginTranslator, what: DoneKind): string {
  return t(`${DONE[what]}.title`);
}

export interface LoggedOutProps {
  /** The validated post_logout_redirect_uri; never an unvalidated address. */
  backHref?: string;
  appName?: string;
  signInHref?: string;
  organizationName?: string;
}

export function LoggedOutPage({ t, appName, ...props }: LoggedOutProps & { t: LoginTranslator }) {
  const backHref = linkTarget(props.backHref);
  const signInHref = linkTarget(props.signInHref);
  return (
    <>
      <h1>{t("loggedOut.title")}</h1>
      <p>{t("loggedOut.explanation")}</p>
      {backHref && (
        <a className="primary" href={backHref}>
          {appName ? t.rich("loggedOut.backTo", { ...bdi, app: plainName(appName) }) : t("loggedOut.back")}
        </a>
      )}
      {signInHref && (
        <a className="secondary" href={signInHref}>
          {t("loggedOut.again")}
        </a>
      )}
    </>
  );
}

export interface HomeProps {
  issuer: string;
  discoveryHref: string;
  /** True while no administrator exists. */
  needsSetup: boolean;
}

/**
 * The page for users who typed the address: the product, and the two addresses that developers need. It contains no
 * secrets.
 */
export function HomePage({ t, issuer, discoveryHref, needsSetup }: HomeProps & { t: LoginTranslator }) {
  return (
    <>
      <h1>{t("home.title")}</h1>
      <p>{t("home.explanation")}</p>
      {needsSetup && <p className="note">{t("home.needsSetup")}</p>}
      <h2>{t("home.forDevelopers")}</h2>
      <dl>
        <div>
          <dt>{t("home.issuer")}</dt>
          <dd>
            <code dir="ltr">{issuer}</code>
          </dd>
        </div>
        <div>
          <dt>{t("home.discovery")}</dt>
          <dd>
            <a href={discoveryHref}>
              <code dir="ltr">{discoveryHref}</code>
            </a>
          </dd>
        </div>
      </dl>
    </>
  );
}
