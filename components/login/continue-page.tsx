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
  /** Whose app it is, if it is not one of the person's own organization. */
  foreignOrganization?: string;
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

/** Says whose an application is that does not belong to the person's own organization. */
export function ForeignApp({ t, organization }: { t: LoginTranslator; organization: string | undefined }) {
  if (organization === undefined) return null;
  return <p>{t.rich("continuePage.foreign", { ...bdi, organization: plainName(organization) })}</p>;
}

/** What an application gets besides knowing who the person is. */
export function Disclosures({ t, disclosures }: { t: LoginTranslator; disclosures: readonly Disclosure[] }) {
  if (disclosures.length === 0) return null;
  return (
    <>
      <p>{t("continuePage.gets")}</p>
      <ul className="plain">
        {disclosures.map((disclosure) => (
          <li key={disclosure}>{t(DISCLOSURES[disclosure])}</li>
        ))}
      </ul>
    </>
  );
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
      <ForeignApp t={t} organization={props.foreignOrganization} />
      <p>{t.rich("continuePage.explanation", { ...bdi, app })}</p>
      <Disclosures t={t} disclosures={props.disclosures} />
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
