// "Continue to <app> as <user>": asked for native and third-party applications, because any program on the device can
// claim a loopback address or a private scheme (RFC 8252 §8.6). A hidden redirect cannot press the button.
import type { LoginMessageKey, LoginTranslator } from "../../messages/login";
import type { Disclosure } from "../../server/protocol/consent-required";
import type { ScopeWords } from "../../server/protocol/project-scope";
import { HiddenFields, PrimaryButton } from "../ui/form";
import { linkTarget } from "../ui/links";
import { bdi, Initial, Name, plainName, visibleText, Who } from "../ui/user-text";

export interface ContinueProps {
  flow: string;
  action: string;
  appName: string;
  displayName: string;
  loginName: string;
  /** What else it learns or may do, in this order. */
  disclosures: readonly Disclosure[];
  /** What it may do in projects, in the words of each. */
  words: readonly ScopeWords[];
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

export interface DisclosuresProps {
  disclosures: readonly Disclosure[];
  words: readonly ScopeWords[];
}

/** What an application gets besides knowing who the person is. */
export function Disclosures({ t, disclosures, words }: DisclosuresProps & { t: LoginTranslator }) {
  if (disclosures.length === 0 && words.length === 0) return null;
  return (
    <>
      <p>{t("continuePage.gets")}</p>
      <DisclosureList t={t} disclosures={disclosures} words={words} />
    </>
  );
}

/** A project's text is its own, so it is said whose words they are, and the name that the API reads stands beside it. */
export function DisclosureList({ t, disclosures, words }: DisclosuresProps & { t: LoginTranslator }) {
  return (
    <ul className="plain">
      {disclosures.map((disclosure) => (
        <li key={disclosure}>{t(DISCLOSURES[disclosure])}</li>
      ))}
      {words.map(({ projectName, scopes }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: projects may have the same name, and the list never changes
        <li key={index}>
          {t.rich("continuePage.inWordsOf", { ...bdi, project: plainName(projectName) })}
          <ul className="plain">
            {scopes.map(({ name, text }) => (
              <li key={name}>
                {text !== undefined && <Name>{text}</Name>} <code dir="ltr">{plainName(name)}</code>
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
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
        <Who displayName={props.displayName} loginName={props.loginName} />
      </div>
      <ForeignApp t={t} organization={props.foreignOrganization} />
      <p>{t.rich("continuePage.explanation", { ...bdi, app })}</p>
      <Disclosures t={t} disclosures={props.disclosures} words={props.words} />
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
