// "This wasn't me": the event of a notice, and the effect of securing the account. The page only asks, so that programs
// that open links change nothing.
import type { LoginTranslator } from "../../messages/login";
import { HiddenFields, PrimaryButton } from "../ui/form";
import { bdi, plainName } from "../ui/user-text";
import { Time } from "./time";

export interface NotMeProps {
  action: string;
  /** The secret of the link. */
  token: string;
  loginName: string;
  /** The event, by the name in the notice. */
  what: string;
  /** The time of the event, in epoch milliseconds. */
  at: number;
  timeZone?: string;
  organizationName?: string;
}

const CONSEQUENCES = ["notMe.ends", "notMe.password", "notMe.undone", "notMe.told"] as const;

export function NotMePage({ t, locale, ...props }: NotMeProps & { t: LoginTranslator; locale: string }) {
  return (
    <>
      <h1>{t("notMe.title")}</h1>
      <p className="lead">{t.rich("resetPassword.of", { ...bdi, name: plainName(props.loginName) })}</p>
      <p className="note">
        <span>
          <strong>{props.what}</strong>
          <br />
          <Time at={props.at} locale={locale} timeZone={props.timeZone} />
        </span>
      </p>
      <p id="consequences">{t("notMe.text")}</p>
      <ul aria-labelledby="consequences">
        {CONSEQUENCES.map((key) => (
          <li key={key}>{t(key)}</li>
        ))}
      </ul>
      <form method="post" action={props.action}>
        <HiddenFields values={{ token: props.token, ui_locales: locale }} />
        <PrimaryButton id="submit">{t("notMe.submit")}</PrimaryButton>
      </form>
      <p className="aside">{t("notMe.close")}</p>
    </>
  );
}
