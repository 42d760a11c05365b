// "Continue to <app> as <user>": asked for native and third-party applications, because any program on the device can
// claim a loopback address or a private scheme (RFC 8252 §8.6). A hidden redirect cannot press the button.
import type { LoginMessageKey, LoginTranslator } from "../../messages/login";
import type { Disclosure } from "../../server/protocol/confirmation";
import { HiddenFields, PrimaryButton } from "../ui/form";
import { linkTarget } from "../ui/links";
import { bdi, Initial, LoginName, Name, plainName, visibleText } from "../ui/user-text";

export interface ContinueProps {
  flow: string;
  action: string;
  appName: string;
  displayName: string;
  loginName: string;
  /** What else it learns or may do, in this order. */
  disclosures: readonly Disclosure[];
  /** Host or private scheme of the validated redirect URI. */
  destination?: string;
  /** Back to the choice of an account. */
  otherAccountHref?: string;
  organizationName?: string;
}

export const DISCLOSURES = {
  profile: "continuePage.disclosure.profile",
  email: "continuePage.disclosure.email",
  phone: "continuePage.disclosure.phone",
  address: "continuePage.disclosure.address",
  organization: "continuePage.disclosure.organization",
  roles: "continuePage.disclosure.roles",
  metadata: "continuePage.disclosure.metadata",
  otherApps: "continuePage.disclosure.otherApps",
  management: "continuePage.disclosure.management",
  offline: "continuePage.disclosure.offline",
} as const satisfies Record<Disclosure, LoginMessageKey>;

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
      {props.disclosures.length > 0 && (
        <>
          <p>{t("continuePage.gets")}</p>
          <ul className="plain">
            {props.disclosures.map((disclosure) => (
              <li key={disclosure}>{t(DISCLOSURES[disclosure])}</li>
            ))}
          </ul>
        </>
      )}
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
        {/* With a value: an empty one counts as left out. */}
        <button className="secondary" type="submit" id="deny" name="deny" value="yes">
          {t("continuePage.deny")}
        </button>
      </form>
      {otherAccountHref && (
        <p className="aside">
          <a href={otherAccountHref}>{t("continuePage.other")}</a>
        </p>
      )}
    </>
  );
}
