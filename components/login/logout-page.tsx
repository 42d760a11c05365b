// "Sign out?": asked if the request does not prove that it comes from an application of this session (OIDC RP-Initiated
// Logout §2; OWASP ASVS 10.6.2); otherwise any page could sign users out.
import type { LoginTranslator } from "../../messages/login";
import { HiddenFields, PrimaryButton } from "../ui/form";
import { linkTarget } from "../ui/links";
import { Initial, Who } from "../ui/user-text";

export interface LogoutProps {
  action: string;
  /** The sealed logout request, which the post sends back. */
  fields: Readonly<Record<string, string>>;
  /** The sessions that end. */
  accounts: readonly { displayName: string; loginName: string }[];
  /** The link to stay signed in. */
  stayHref?: string;
  organizationName?: string;
}

export function LogoutPage({ t, locale, ...props }: LogoutProps & { t: LoginTranslator; locale: string }) {
  const stayHref = linkTarget(props.stayHref);
  return (
    <>
      <h1>{t("logout.title")}</h1>
      <p>{t("logout.question", { count: props.accounts.length })}</p>
      <ul className="people">
        {props.accounts.map(({ displayName, loginName }) => (
          <li className="person" key={loginName}>
            <Initial of={displayName || loginName} />
            <Who displayName={displayName} loginName={loginName} />
          </li>
        ))}
      </ul>
      <p>{t("logout.explanation")}</p>
      <form method="post" action={props.action}>
        <HiddenFields values={{ ...props.fields, ui_locales: locale }} />
        <PrimaryButton id="confirm-logout">{t("logout.confirm")}</PrimaryButton>
      </form>
      {stayHref && (
        <p className="aside">
          <a href={stayHref}>{t("logout.stay")}</a>
        </p>
      )}
    </>
  );
}
