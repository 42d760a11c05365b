// Pages for a passkey as second factor, and for a new passkey.
import type { LoginTranslator } from "../../messages/login";
import { ErrorSummary, HiddenFields } from "../ui/form";
import { bdi, plainName } from "../ui/user-text";
import { Cancel } from "./account-frame";
import { PasskeyForm, type PasskeyFormProps } from "./passkey-form";
import { type OtherWay, OtherWays } from "./second-factor-page";
import { ToApp } from "./to-app";
import { Whose } from "./whose";

export interface PasskeyPageProps extends PasskeyFormProps {
  loginName: string;
  /** The link to the sign-in page, for another account. */
  notYouHref?: string;
  others: readonly OtherWay[];
  refused: boolean;
  /** The application that the user is signing in to. */
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
      <p className="note" id="passkey-unsupported" data-unscripted="">
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

export interface OfferPasskeyProps extends PasskeyFormProps {
  /** The address and fields of the forms "Not now" and "Never ask again". */
  laterAction: string;
  laterFields: Readonly<Record<string, string>>;
  loginName: string;
  /** The application that the user is signing in to. */
  appName?: string;
  organizationName?: string;
}

/** Offers a passkey after a password sign-in, so that the next one needs no password. It can be declined. */
export function OfferPasskeyPage({ t, locale, ...props }: OfferPasskeyProps & { t: LoginTranslator; locale: string }) {
  const { action, options } = props;
  return (
    <>
      <h1>{t("passkeyOffer.title")}</h1>
      <ToApp t={t} appName={props.appName} />
      <p className="lead">{t.rich("resetPassword.of", { ...bdi, name: plainName(props.loginName) })}</p>
      <p>{t("passkeyOffer.text")}</p>
      <PasskeyForm
        t={t}
        kind="create"
        id="add-passkey"
        className="primary"
        label={t("passkey.add")}
        action={action}
        fields={{ ...props.fields, ui_locales: locale }}
        options={options}
      />
      <form method="post" action={props.laterAction}>
        <HiddenFields values={{ ...props.laterFields, ui_locales: locale }} />
        <button className="secondary" type="submit" id="not-now" name="not-now" value="1">
          {t("setUpFactor.later")}
        </button>
        <p className="aside">
          <button className="link" type="submit" id="never" name="never" value="1">
            {t("passkeyOffer.never")}
          </button>
        </p>
      </form>
    </>
  );
}

export interface NewPasskeyProps extends PasskeyFormProps {
  refused: boolean;
  /** The back link. */
  cancelHref?: string;
  /** The owner of the new passkey, if no user is signed in. */
  loginName?: string;
  /** The application that the user is signing in to. */
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
      <p className="note" id="passkey-unsupported" data-unscripted="">
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
      {props.cancelHref && <Cancel t={t} href={props.cancelHref} />}
    </>
  );
}
