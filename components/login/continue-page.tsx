// "Continue to <app> as <user>": asked where nobody vouches for the application, because any program on the device can
// claim a loopback address or a private scheme (RFC 8252 §8.6). Clicking is what a hidden redirect cannot do.
import type { LoginTranslator } from "../../messages/login";
import { HiddenFields, PrimaryButton } from "../ui/form";
import { linkTarget } from "../ui/links";
import { bdi, Initial, LoginName, Name, plainName, visibleText } from "../ui/user-text";

export interface ContinueProps {
  flow: string;
  action: string;
  appName: string;
  displayName: string;
  loginName: string;
  /** Host or private scheme of the validated redirect URI. */
  destination?: string;
  /** Back to the choice of an account. */
  otherAccountHref?: string;
  organizationName?: string;
}

export function ContinuePage({ t, locale, ...props }: ContinueProps & { t: LoginTranslator; locale: string }) {
  const app = plainName(props.appName);
  const otherAccountHref = linkTarget(props.otherAccountHref);
  return (
    <>
      <h1>{t.rich("continuePage.question", { ...bdi, app, name: plainName(props.displayName) })}</h1>
      <div className="person">
        <Initial of={props.displayName || props.loginName} />
        <span className="who">
          <strong>
            <Name>{props.displayName}</Name>
          </strong>
          <span>
            <LoginName>{props.loginName}</LoginName>
          </span>
        </span>
      </div>
      <p>{t.rich("continuePage.explanation", { ...bdi, app })}</p>
      {props.destination && (
        <dl>
          <div>
            <dt>{t("continuePage.destination")}</dt>
            <dd>
              <bdi>{visibleText(props.destination)}</bdi>
            </dd>
          </div>
        </dl>
      )}
      <form method="post" action={props.action}>
        <HiddenFields values={{ flow: props.flow, ui_locales: locale }} />
        <PrimaryButton id="submit">{t("common.continue")}</PrimaryButton>
      </form>
      {otherAccountHref && (
        <p className="aside">
          <a href={otherAccountHref}>{t("continuePage.other")}</a>
        </p>
      )}
    </>
  );
}
