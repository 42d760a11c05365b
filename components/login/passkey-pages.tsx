// A passkey as second factor, and a new passkey.
import type { LoginTranslator } from "../../messages/login";
import { ErrorSummary } from "../ui/form";
import { bdi, plainName } from "../ui/user-text";
import { PasskeyForm, type PasskeyFormProps } from "./passkey-form";
import { type OtherWay, OtherWays } from "./second-factor-page";
import { ToApp } from "./to-app";
import { Whose } from "./whose";

export interface PasskeyPageProps extends PasskeyFormProps {
  loginName: string;
  /** Leads to the sign-in page, for another account. */
  notYouHref?: string;
  others: readonly OtherWay[];
  refused: boolean;
  /** The application the person is signing in to. */
  appName?: string;
  organizationName?: string;
}

export function PasskeyPage({ t, locale, ...props }: PasskeyPageProps & { t: LoginTranslator; locale: string }) {
  const { action, options } = props;
  const fields = { ...props.fields, ui_locales: locale };
  return (
    <>
      <h1>{t("secondFactor.title")}</h1>
      <ToApp t={t} appName={props.appName} />
      <Whose t={t} loginName={props.loginName} notYouHref={props.notYouHref} />
      {props.refused && <ErrorSummary entries={[{ text: t("passkey.refused") }]} />}
      <p>{t("passkey.text")}</p>
      <p className="note" id="passkey-unsupported">
        {t("passkey.unsupported")}
      </p>
      <PasskeyForm
        t={t}
        kind="get"
        id="use-passkey"
        className="primary"
        label={t("passkey.use")}
        action={action}
        fields={fields}
        options={options}
      />
      <OtherWays t={t} others={props.others} />
    </>
  );
}

export interface NewPasskeyProps extends PasskeyFormProps {
  refused: boolean;
  /** Whose it will be, where nobody has signed in. */
  loginName?: string;
  /** The application the person is signing in to. */
  appName?: string;
  organizationName?: string;
}

export function NewPasskeyPage({ t, locale, ...props }: NewPasskeyProps & { t: LoginTranslator; locale: string }) {
  const { action, options } = props;
  const fields = { ...props.fields, ui_locales: locale };
  return (
    <>
      <h1>{t("passkey.addTitle")}</h1>
      <ToApp t={t} appName={props.appName} />
      {props.loginName !== undefined && (
        <p className="lead">{t.rich("resetPassword.of", { ...bdi, name: plainName(props.loginName) })}</p>
      )}
      {props.refused && <ErrorSummary entries={[{ text: t("passkey.notAdded") }]} />}
      <p>{t("passkey.addText")}</p>
      <p className="note" id="passkey-unsupported">
        {t("passkey.unsupported")}
      </p>
      <PasskeyForm
        t={t}
        kind="create"
        id="add-passkey"
        className="primary"
        label={t("passkey.add")}
        action={action}
        fields={fields}
        options={options}
      />
    </>
  );
}
