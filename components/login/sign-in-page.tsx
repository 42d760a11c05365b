// The sign-in page: login name and password together on one page, which suits password managers best. Unknown names and
// wrong passwords get the same message (OWASP ASVS 6.3.8); the password is never sent back to the page.
import type { LoginTranslator } from "../../messages/login";
import type { SignInError } from "../../server/oidc/flow";
import { ErrorSummary, Field, HiddenFields, PrimaryButton, type SummaryEntry } from "../ui/form";
import { linkTarget } from "../ui/links";
import { bdi, plainName } from "../ui/user-text";
import { PasskeyForm, type PasskeyFormProps } from "./passkey-form";
import { PasswordField } from "./password-field";
import { CancelSignIn, ToApp } from "./to-app";
import { Whose } from "./whose";

export interface SignInProps {
  /** The sealed authorization request. */
  flow: string;
  /** The address that the form posts to. */
  action: string;
  /** The name typed before, or the request's login_hint. */
  loginName?: string;
  /**
   * Which fields the page has: both; first the name alone and then the password on a separate page; or only a passkey,
   * without fields.
   */
  asks: "both" | "loginName" | "password" | "passkey";
  /** Only with `password`: the link to use another name. */
  notYouHref?: string;
  error?: SignInError;
  /** Only with `throttled`: whole minutes until the next attempt. */
  retryAfterMinutes?: number;
  /** The application that the user is signing in to. */
  appName?: string;
  /** Shown as the brand, so that users know where they sign in. */
  organizationName?: string;
  /** Rendered only when passwords can be reset. */
  forgotPasswordHref?: string;
  /** Rendered only if the organization allows self-registration. */
  createAccountHref?: string;
  /** Whether the application requests registration (prompt=create), but it is off here. */
  isRegistrationOff?: boolean;
  /** Sign-in without a password, which needs a script. */
  passkey?: PasskeyFormProps;
  /** Whether the sign-in is for an application, which is informed of a cancellation. */
  isCancellable?: boolean;
  /** The identity providers, in the order of their buttons. */
  providers?: readonly { id: string; name: string }[];
  /**
   * The LDAP directory whose name and password the page asks for.
   * @property otherWaysHref undefined if there is no other way to sign in
   */
  directory?: { name: string; otherWaysHref?: string };
  /** The account at a provider that is connected to the account that the user signs in to. */
  connects?: { provider: string; userName: string };
}

const SUMMARY = "error-summary";
/** Rule PAGE-1: links also have a name, equal to their id. */
const named = (name: string) => ({ name });
/** For longer waits, the page suggests other ways to sign in instead of waiting. */
const WORTH_WAITING_MINUTES = 60;

export function SignInPage({ t, locale, ...props }: SignInProps & { t: LoginTranslator; locale: string }) {
  const { error, loginName, asks } = props;
  const forgotPasswordHref = linkTarget(props.forgotPasswordHref);
  const createAccountHref = linkTarget(props.createAccountHref);
  const missingName = error === "missing-login-name" || error === "missing-login-name-and-password";
  const missingPassword = error === "missing-password" || error === "missing-login-name-and-password";
  const refused = error === "credentials" ? SUMMARY : undefined;
  return (
    <>
      <h1>
        {props.directory
          ? t.rich("provider.directoryTitle", { ...bdi, provider: plainName(props.directory.name) })
          : t("signIn.title")}
      </h1>
      <ToApp t={t} appName={props.appName} />
      {asks === "password" && <Whose t={t} loginName={loginName ?? ""} notYouHref={props.notYouHref} />}
      {props.isRegistrationOff && !error && <p role="status">{t("signIn.registrationOff")}</p>}
      {props.connects && !error && (
        <p role="status">
          {t.rich("provider.connects", {
            ...bdi,
            provider: plainName(props.connects.provider),
            userName: plainName(props.connects.userName),
          })}
        </p>
      )}
      {error && <ErrorSummary id={SUMMARY} entries={entries({ t, error, props, forgotPasswordHref })} />}
      {asks === "passkey" ? (
        <noscript>
          <p>{t("passkey.unsupported")}</p>
        </noscript>
      ) : (
        <form
          method="post"
          action={props.action}
          noValidate
          data-tells-passkeys={asks === "loginName" ? undefined : ""}
        >
          <HiddenFields values={{ flow: props.flow, ui_locales: locale }} />
          {asks === "password" ? (
            <NameForManagers t={t} loginName={loginName ?? ""} />
          ) : (
            <Field
              name="loginName"
              label={t(props.directory ? "provider.directoryLoginName" : "common.loginName")}
              value={loginName}
              error={missingName ? missingNameText(t, props) : undefined}
              errorPrefix={t("common.fieldError")}
              invalidBecause={refused}
              type="text"
              inputMode={props.directory ? undefined : "email"}
              autoComplete="username webauthn"
              autoCapitalize="none"
              spellCheck={false}
              dir="auto"
              autoFocus={!error && !loginName}
            />
          )}
          {asks === "loginName" ? (
            <PasswordForManagers t={t} />
          ) : (
            <PasswordField
              t={t}
              name="password"
              label={t("common.password")}
              error={missingPassword ? t("signIn.missingPassword") : undefined}
              invalidBecause={refused}
              autoFocus={!error && Boolean(loginName)}
            />
          )}
          <PrimaryButton id="submit">{t(asks === "loginName" ? "common.continue" : "common.signIn")}</PrimaryButton>
        </form>
      )}
      {props.passkey && (
        <PasskeyForm
          t={t}
          kind="get"
          autofill
          id="use-passkey"
          className={asks === "passkey" ? "primary" : "secondary"}
          label={t("passkey.signIn")}
          {...props.passkey}
          fields={{ ...props.passkey.fields, ui_locales: locale }}
        />
      )}
      {props.providers && props.providers.length > 0 && (
        <form method="post" action="/login/idp" className="providers" aria-label={t("provider.others")}>
          <HiddenFields values={{ flow: props.flow, ui_locales: locale }} />
          {props.providers.map(({ id, name }) => (
            <button key={id} type="submit" className="secondary" name="idp" value={id}>
              {t.rich("provider.button", { ...bdi, provider: plainName(name) })}
            </button>
          ))}
        </form>
      )}
      {props.directory?.otherWaysHref && (
        <p className="aside">
          <a id="other-ways" href={props.directory.otherWaysHref} {...named("other-ways")}>
            {t("provider.others")}
          </a>
        </p>
      )}
      {props.isCancellable && <CancelSignIn t={t} locale={locale} flow={props.flow} />}
      {forgotPasswordHref && (
        <p className="aside">
          <a id="forgot-password" href={forgotPasswordHref} {...named("forgot-password")}>
            {t("signIn.forgotPassword")}
          </a>
        </p>
      )}
      {createAccountHref && (
        <p className="aside">
          <span>{t("signIn.createAccountQuestion")}</span>{" "}
          <a id="create-account" href={createAccountHref} {...named("create-account")}>
            {t("signIn.createAccount")}
          </a>
        </p>
      )}
    </>
  );
}

/** The name as typed, for password managers and the form; visually hidden. */
function NameForManagers({ t, loginName }: { t: LoginTranslator; loginName: string }) {
  return (
    <div className="hidden" aria-hidden="true">
      <label htmlFor="loginName">{t("common.loginName")}</label>
      <input
        id="loginName"
        name="loginName"
        type="text"
        autoComplete="username webauthn"
        defaultValue={plainName(loginName)}
        readOnly
        tabIndex={-1}
      />
    </div>
  );
}

/** If the page only asks for the name, this lets password managers fill in both fields at once. */
function PasswordForManagers({ t }: { t: LoginTranslator }) {
  return (
    <div className="hidden" aria-hidden="true">
      <label htmlFor="password">{t("common.password")}</label>
      <input id="password" name="password" type="password" autoComplete="current-password" tabIndex={-1} />
    </div>
  );
}

function entries(of: {
  t: LoginTranslator;
  error: SignInError;
  props: SignInProps;
  forgotPasswordHref?: string;
}): SummaryEntry[] {
  const { t, error, props, forgotPasswordHref } = of;
  const reset = forgotPasswordHref ? [{ text: <a href={forgotPasswordHref}>{t("signIn.resetPassword")}</a> }] : [];
  const name = { field: "loginName", text: missingNameText(t, props) };
  const password = { field: "password", text: t("signIn.missingPassword") };
  switch (error) {
    case "missing-login-name":
      return [name];
    case "missing-password":
      return [password];
    case "missing-login-name-and-password":
      return [name, password];
    case "credentials":
      return [
        { field: "password", text: t(props.directory ? "provider.directoryCredentials" : "signIn.credentials") },
        ...reset,
      ];
    case "throttled":
      return [{ text: throttledText(t, props.retryAfterMinutes) }, ...reset];
    case "busy":
      return [{ text: t("signIn.busy") }];
    case "unavailable":
      return [{ text: t("signIn.unavailable") }];
    case "passkey":
      return [{ text: t("passkey.refused") }];
    case "not-remembered":
      return [{ text: t("signIn.notRemembered") }];
    case "provider-failed":
      return [{ text: t("provider.failed") }];
    case "provider-denied":
      return [{ text: t("provider.denied") }];
    case "provider-refused":
      return [{ text: t("provider.refused") }];
  }
}

const missingNameText = (t: LoginTranslator, { directory }: SignInProps): string =>
  t(directory ? "provider.directoryMissingName" : "signIn.missingLoginName");

function throttledText(t: LoginTranslator, retryAfterMinutes = 1): string {
  if (retryAfterMinutes > WORTH_WAITING_MINUTES) return t("signIn.locked");
  return t("signIn.throttled", { minutes: Math.max(1, retryAfterMinutes) });
}
