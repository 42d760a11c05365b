// Explains an error and what to do, in fixed texts chosen by kind. Nothing from the query is shown, except in the
// collapsed part for developers, where a received value is inert text (Hydra GO-2026-4861 was an echoed hint).
import type { LoginTranslator } from "../../messages/login";
import { linkTarget } from "../ui/links";
import { visibleText } from "../ui/user-text";
import { CopyButton } from "./copy-buttons";
import { Time } from "./time";

export type ErrorKind = keyof typeof MESSAGES;

export const MESSAGES = {
  "invalid-client": "error.invalidClient",
  "invalid-redirect-uri": "error.invalidRedirectUri",
  "invalid-request": "error.invalidRequest",
  "invalid-logout-request": "error.invalidLogoutRequest",
  "expired-flow": "error.expiredFlow",
  "setup-link": "error.setupLink",
  "mailed-link": "error.mailedLink",
  "cross-site": "error.crossSite",
  "wrong-host": "error.wrongHost",
  "not-found": "error.notFound",
  "method-not-allowed": "error.methodNotAllowed",
  "too-large": "error.tooLarge",
  "too-many": "error.tooMany",
  unavailable: "error.unavailable",
  unexpected: "error.unexpected",
} as const;

/** The reason for which a sign-out request was refused, for the user to pass on to the operator of the application. */
export type LogoutMistake = keyof typeof LOGOUT_MISTAKES;

const LOGOUT_MISTAKES = {
  hint: "error.invalidLogoutRequest.hint",
  client: "error.invalidLogoutRequest.client",
  address: "error.invalidLogoutRequest.address",
  malformed: "error.invalidLogoutRequest.malformed",
} as const;

/** Errors without a way back: the page links to the user's own account. */
const LEADS_NOWHERE: ReadonlySet<ErrorKind> = new Set(["expired-flow", "not-found", "method-not-allowed"]);

export interface ErrorProps {
  kind: ErrorKind;
  /** The reason for developers, in English: a fixed text, as in `error_description`. */
  description?: string;
  /** The rejected value. Shown as text, never as a link. */
  received?: { parameter: "redirect_uri" | "client_id" | "post_logout_redirect_uri"; value: string };
  /** Only with `wrong-host`: the Host header, the configured host, the correct address. */
  host?: { came: string; configured: string; href: string };
  /** Only with `invalid-logout-request`. */
  mistake?: LogoutMistake;
  /** The link back to the application, always a registered address. */
  startAgainHref?: string;
  /** Epoch milliseconds. */
  occurredAt?: number;
  /** Only with `mailed-link`: when it was used, in epoch milliseconds. */
  usedAt?: number;
  organizationName?: string;
  /** Only with `invalid-redirect-uri`: the application in the console, for its managers. */
  repairHref?: string;
}

/** Returns the title of the document and of the page. */
export function errorTitle(t: LoginTranslator, kind: ErrorKind): string {
  return t(`${MESSAGES[kind]}.title`);
}

export function ErrorPage({ t, locale, requestId, timeZone, ...props }: ErrorProps & ErrorContext) {
  const startAgainHref = linkTarget(props.startAgainHref);
  const repairHref = linkTarget(props.repairHref);
  return (
    <>
      <h1>{errorTitle(t, props.kind)}</h1>
      {props.mistake !== undefined && <p>{t(LOGOUT_MISTAKES[props.mistake])}</p>}
      <p>{t(props.usedAt === undefined ? `${MESSAGES[props.kind]}.text` : "error.mailedLink.used")}</p>
      {props.host && <WrongHost t={t} {...props.host} />}
      {startAgainHref && (
        <a className="primary" href={startAgainHref}>
          {t("common.startAgain")}
        </a>
      )}
      {repairHref && (
        <>
          <p>{t("error.repairText")}</p>
          <a id="repair" className="primary" href={repairHref}>
            {t("error.repair")}
          </a>
        </>
      )}
      {LEADS_NOWHERE.has(props.kind) && (
        <p className="aside">
          <a id="account" href="/account">
            {t("account.title")}
          </a>
        </p>
      )}
      {(props.description || props.received) && <Details t={t} {...props} />}
      <dl className="reference">
        {props.usedAt !== undefined && (
          <div>
            <dt>{t("error.usedAt")}</dt>
            <dd>
              <Time at={props.usedAt} locale={locale} timeZone={timeZone} />
            </dd>
          </div>
        )}
        <div>
          <dt>{t("error.requestId")}</dt>
          <dd>
            <code>{requestId}</code> <CopyButton t={t} id="copy-request" text={requestId} />
          </dd>
        </div>
        {props.occurredAt !== undefined && (
          <div>
            <dt>{t("error.time")}</dt>
            <dd>
              <Time at={props.occurredAt} locale={locale} timeZone={timeZone} />
            </dd>
          </div>
        )}
      </dl>
    </>
  );
}

interface ErrorContext {
  t: LoginTranslator;
  locale: string;
  requestId: string;
  timeZone?: string;
}

/** Details for developers, collapsed by default. */
function Details({ t, description, received }: Pick<ErrorProps, "description" | "received"> & { t: LoginTranslator }) {
  return (
    <details>
      <summary>{t("error.details")}</summary>
      <dl>
        {description && (
          <div>
            <dt>{t("error.reason")}</dt>
            <dd>
              <bdi lang="en">{visibleText(description)}</bdi>
            </dd>
          </div>
        )}
        {received && (
          <div>
            <dt>{t("error.received", { parameter: received.parameter })}</dt>
            <dd>
              <code dir="ltr">{visibleText(received.value)}</code>
            </dd>
          </div>
        )}
      </dl>
      {received?.parameter.endsWith("redirect_uri") && <p>{t("error.managed")}</p>}
    </details>
  );
}

function WrongHost({ t, came, configured, href }: { t: LoginTranslator } & NonNullable<ErrorProps["host"]>) {
  return (
    <>
      <dl>
        <div>
          <dt>{t("error.host")}</dt>
          <dd>
            <code dir="ltr">{visibleText(came)}</code>
          </dd>
        </div>
        <div>
          <dt>{t("error.configured")}</dt>
          <dd>
            <code dir="ltr">{configured}</code>
          </dd>
        </div>
      </dl>
      <a className="primary" href={href}>
        {t("error.openConfigured")}
      </a>
      <p>{t.rich("error.setting", { code: (name) => <code>{name}</code> })}</p>
    </>
  );
}
