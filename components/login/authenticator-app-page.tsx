// Sets up an authenticator app: a QR code for another device, a link for this one, the key for typing, and a field for
// a first code, which proves that it works before anything is stored.
import type { LoginTranslator } from "../../messages/login";
import { ErrorSummary, Field, HiddenFields, PrimaryButton } from "../ui/form";
import { Cancel } from "./account-frame";
import { CopyButton } from "./copy-buttons";
import { ToApp } from "./to-app";

/** The dark squares of a QR code as one path, `size` units wide and high. */
export interface QrCode {
  size: number;
  path: string;
}

export interface AuthenticatorAppProps {
  action: string;
  /** The hidden fields of the form: the flow, if it is a sign-in, and the sealed key. */
  fields: Readonly<Record<string, string | undefined>>;
  qr: QrCode;
  /** The secret in base32. */
  secret: string;
  /** The `otpauth:` URI. */
  uri: string;
  /** The name typed before. */
  name?: string;
  maximumNameLength: number;
  error?: "missing" | "wrong" | "too-many";
  /** The back link. */
  cancelHref?: string;
  /** The application that the user is signing in to. */
  appName?: string;
  organizationName?: string;
}

/** The quiet zone around the code, in modules (ISO/IEC 18004 §6.3.8). */
const QUIET = 4;

export function AuthenticatorAppPage({
  t,
  locale,
  ...props
}: AuthenticatorAppProps & { t: LoginTranslator; locale: string }) {
  const { qr, error } = props;
  const message = error && errorText(t, error);
  const side = qr.size + 2 * QUIET;
  return (
    <>
      <h1>{t("authenticatorApp.title")}</h1>
      <ToApp t={t} appName={props.appName} />
      {message && (
        <ErrorSummary
          id="error-summary"
          entries={[error === "too-many" ? { text: message } : { field: "code", text: message }]}
        />
      )}
      <p>{t("authenticatorApp.scan")}</p>
      {/* Black on white in dark mode too: not every camera reads inverted codes. */}
      <svg className="qr" role="img" aria-label={t("authenticatorApp.qr")} viewBox={`0 0 ${side} ${side}`}>
        <path fill="#fff" d={`M0 0h${side}v${side}H0z`} />
        <path stroke="#000" d={qr.path} transform={`translate(${QUIET} ${QUIET + 0.5})`} shapeRendering="crispEdges" />
      </svg>
      <p>{t("authenticatorApp.key")}</p>
      <p>
        <code id="secret" dir="ltr">
          {(props.secret.match(/.{1,4}/g) ?? []).join(" ")}
        </code>
      </p>
      <p className="actions">
        <CopyButton t={t} id="copy-secret" text={props.secret} />
        <a id="open-app" href={props.uri}>
          {t("authenticatorApp.open")}
        </a>
      </p>
      <form method="post" action={props.action} noValidate>
        <HiddenFields values={{ ...props.fields, ui_locales: locale }} />
        <Field
          name="code"
          label={t("code.label")}
          hint={t("authenticatorApp.codeHint")}
          invalidBecause={message && "error-summary"}
          errorPrefix={t("common.fieldError")}
          type="text"
          inputMode="numeric"
          autoComplete="one-time-code"
          spellCheck={false}
          maxLength={40}
          dir="ltr"
        />
        <Field
          name="name"
          label={t("authenticatorApp.name")}
          hint={t("authenticatorApp.nameHint")}
          value={props.name ?? t("setUpFactor.app")}
          errorPrefix={t("common.fieldError")}
          type="text"
          autoComplete="off"
          maxLength={props.maximumNameLength}
          dir="auto"
        />
        <PrimaryButton id="submit">{t("verifyEmail.submit")}</PrimaryButton>
      </form>
      {props.cancelHref && <Cancel t={t} href={props.cancelHref} />}
    </>
  );
}

function errorText(t: LoginTranslator, error: NonNullable<AuthenticatorAppProps["error"]>): string {
  switch (error) {
    case "missing":
      return t("secondFactor.missing");
    case "wrong":
      return t("secondFactor.wrongTotp");
    case "too-many":
      return t("authenticatorApp.tooMany");
  }
}
