// "Continue to <app> as <user>": shown for native and third-party applications, because any program on the device can
// claim a loopback address or a private scheme (RFC 8252 §8.6). A hidden redirect cannot press the button.
import type { LoginMessageKey, LoginTranslator } from "../../messages/login";
import type { Disclosure } from "../../server/protocol/consent-required";
import type { ScopeDescriptions } from "../../server/protocol/project-scope";
import { HiddenFields, PrimaryButton } from "../ui/form";
import { linkTarget } from "../ui/links";
import { bdi, Initial, Name, plainName, visibleText, Who } from "../ui/user-text";

export interface ContinueProps {
  flow: string;
  action: string;
  appName: string;
  /** The address of the app's logo on this service. */
  logoSrc?: string;
  displayName: string;
  loginName: string;
  /** The further data and permissions that the app gets, in this order. */
  disclosures: readonly Disclosure[];
  /** The permissions in projects, as each project describes them. */
  projectScopes: readonly ScopeDescriptions[];
  /** The owner of the app, if it is not the user's own organization. */
  foreignOrganization?: string;
  /**
   * How this service knows the app: the operator trusts it, it registered itself, or only the host of its metadata
   * document is known, in ASCII. Undefined for an app that an organization has registered.
   */
  knownBy?: "trust" | "registration" | { host: string };
  /** Whether the user has agreed to a part of it before: the page lists only what is new. */
  asksForMore?: boolean;
  /** The app's own pages about its use, and about the data that it gets. */
  termsUri?: string;
  policyUri?: string;
  /** How long the access lasts: until it is ended, or as long as the session. */
  lasts?: "offline" | "session";
  /** The host or private scheme of the validated redirect URI. */
  destination?: string;
  /** The link to the account selection. */
  otherAccountHref?: string;
  organizationName?: string;
}

const DISCLOSURES = {
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

/** Names the owner of an application that does not belong to the user's own organization. */
export function ForeignApp({ t, organization }: { t: LoginTranslator; organization: string | undefined }) {
  if (organization === undefined) return null;
  return <p>{t.rich("continuePage.foreign", { ...bdi, organization: plainName(organization) })}</p>;
}

/** Says how this service knows an app that no organization has registered, or that its operator trusts. */
function KnownBy({ t, knownBy }: { t: LoginTranslator; knownBy: ContinueProps["knownBy"] }) {
  if (knownBy === undefined) return null;
  if (knownBy === "trust") return <p>{t("continuePage.trusted")}</p>;
  if (knownBy === "registration")
    return (
      <p className="note">
        <span>{t("continuePage.selfRegistered")}</span>
      </p>
    );
  return (
    <p className="note">
      <span>{t.rich("continuePage.knownByHost", { ...bdi, host: visibleText(knownBy.host) })}</span>
    </p>
  );
}

export interface DisclosuresProps {
  disclosures: readonly Disclosure[];
  projectScopes: readonly ScopeDescriptions[];
}

/** Lists the data and permissions that an application gets in addition to the user's identity. */
export function Disclosures({ t, disclosures, projectScopes }: DisclosuresProps & { t: LoginTranslator }) {
  if (disclosures.length === 0 && projectScopes.length === 0) return null;
  return (
    <>
      <p>{t("continuePage.gets")}</p>
      <DisclosureList t={t} disclosures={disclosures} projectScopes={projectScopes} />
    </>
  );
}

/**
 * Lists disclosures. The texts of a project are its own, so the project is named, with the scope name that the API
 * reads.
 */
export function DisclosureList({ t, disclosures, projectScopes }: DisclosuresProps & { t: LoginTranslator }) {
  return (
    <ul className="plain">
      {disclosures.map((disclosure) => (
        <li key={disclosure}>{t(DISCLOSURES[disclosure])}</li>
      ))}
      {projectScopes.map(({ projectName, resource, scopes }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: projects may have the same name, and the list never changes
        <li key={index}>
          {resource === undefined
            ? t.rich("continuePage.inWordsOf", { ...bdi, project: plainName(projectName) })
            : t.rich("continuePage.atResource", {
                ...bdi,
                project: plainName(projectName),
                resource: visibleText(resource),
              })}
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

/** OpenID Connect Dynamic Client Registration §2: what the app says about privacy and terms is shown to users. */
function OwnPages({ t, links: [policy, terms] }: { t: LoginTranslator; links: (string | undefined)[] }) {
  if (!policy && !terms) return null;
  const rel = "noopener noreferrer";
  return (
    <ul className="plain">
      {policy && (
        <li>
          <a href={policy} rel={rel}>
            {t("continuePage.appPolicy")}
          </a>
        </li>
      )}
      {terms && (
        <li>
          <a href={terms} rel={rel}>
            {t("continuePage.appTerms")}
          </a>
        </li>
      )}
    </ul>
  );
}

export function ContinuePage({ t, locale, ...props }: ContinueProps & { t: LoginTranslator; locale: string }) {
  const app = plainName(props.appName);
  const otherAccountHref = linkTarget(props.otherAccountHref);
  return (
    <>
      {/* biome-ignore lint/performance/noImgElement: the service serves it as its client does */}
      {props.logoSrc && <img className="app-logo" src={props.logoSrc} alt="" />}
      <h1>
        {props.asksForMore
          ? t.rich("continuePage.askingForMore", { ...bdi, app })
          : t.rich("continuePage.question", { ...bdi, app, name: plainName(props.displayName) })}
      </h1>
      <div className="person">
        <Initial of={props.displayName || props.loginName} />
        <Who displayName={props.displayName} loginName={props.loginName} />
      </div>
      <ForeignApp t={t} organization={props.foreignOrganization} />
      <KnownBy t={t} knownBy={props.knownBy} />
      <p>
        {t.rich(props.asksForMore ? "continuePage.explanationOfMore" : "continuePage.explanation", { ...bdi, app })}
      </p>
      <Disclosures t={t} disclosures={props.disclosures} projectScopes={props.projectScopes} />
      <OwnPages t={t} links={[linkTarget(props.policyUri), linkTarget(props.termsUri)]} />
      {(props.destination || props.lasts) && (
        <dl>
          {props.lasts && (
            <div>
              <dt>{t("continuePage.howLong")}</dt>
              <dd>{t(props.lasts === "offline" ? "continuePage.lastsOffline" : "continuePage.lastsSession")}</dd>
            </div>
          )}
          {props.destination && (
            <div>
              <dt>{t("continuePage.destination")}</dt>
              <dd>
                <bdi>{visibleText(props.destination)}</bdi>
              </dd>
            </div>
          )}
        </dl>
      )}
      <form method="post" action={props.action}>
        <HiddenFields values={{ flow: props.flow, ui_locales: locale }} />
        <PrimaryButton id="submit">{t("common.continue")}</PrimaryButton>
        {/* With a value: an empty one is treated as missing. */}
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
