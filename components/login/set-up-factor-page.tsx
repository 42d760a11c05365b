// Setting up a second factor while signing in: because it is required, or as a suggestion that can be postponed.
import type { LoginTranslator } from "../../messages/login";
import { HiddenFields } from "../ui/form";
import { linkTarget } from "../ui/links";
import { bdi, loginNameIn, plainName } from "../ui/user-text";
import { ToApp } from "./to-app";

export interface SetUpFactorProps {
  flow: string;
  loginName: string;
  /** There is no "Not now". */
  demanded: boolean;
  appHref: string;
  passkeyHref: string;
  /** Codes by mail, if there is a verified address. */
  mail?: { to: string; action: string };
  /** Where "Not now" posts to. */
  laterAction: string;
  /** The application the person is signing in to. */
  appName?: string;
  organizationName?: string;
}

export function SetUpFactorPage({ t, locale, ...props }: SetUpFactorProps & { t: LoginTranslator; locale: string }) {
  const fields = { flow: props.flow, ui_locales: locale };
  return (
    <>
      <h1>{t("setUpFactor.title")}</h1>
      <ToApp t={t} appName={props.appName} />
      <p className="lead">{t.rich("resetPassword.of", loginNameIn(props.loginName))}</p>
      <p>{t(props.demanded ? "setUpFactor.demanded" : "setUpFactor.suggested")}</p>
      <ul className="ways">
        <li>
          <a id="set-up-app" href={linkTarget(props.appHref)}>
            {t("setUpFactor.app")}
          </a>
          <p>{t("setUpFactor.appText")}</p>
        </li>
        <li>
          <a id="set-up-passkey" href={linkTarget(props.passkeyHref)}>
            {t("secondFactor.passkey")}
          </a>
          <p>{t("passkey.addText")}</p>
        </li>
        {props.mail && (
          <li>
            <form method="post" action={props.mail.action}>
              <HiddenFields values={fields} />
              <button className="link" type="submit" id="set-up-email" name="set-up-email" value="1">
                {t("secondFactor.email")}
              </button>
            </form>
            <p>{t.rich("setUpFactor.emailText", { ...bdi, email: plainName(props.mail.to) })}</p>
          </li>
        )}
      </ul>
      {!props.demanded && (
        <form method="post" action={props.laterAction}>
          <HiddenFields values={fields} />
          <button className="secondary" type="submit" id="not-now" name="not-now" value="1">
            {t("setUpFactor.later")}
          </button>
        </form>
      )}
    </>
  );
}
