// Selects one of this browser's sessions, signs one of them out, or uses another account (OIDC Core §3.1.2.1,
// prompt=select_account). Every choice is a button of one form, so that following a link never selects one.
import type { LoginTranslator } from "../../messages/login";
import { HiddenFields } from "../ui/form";
import { bdi, Initial, Name, plainName, Who } from "../ui/user-text";
import { CancelSignIn, ToApp } from "./to-app";

export interface SelectableSession {
  /** The value of the buttons `session` and `remove-session`. */
  id: string;
  displayName: string;
  loginName: string;
  organizationName?: string;
  /** If false, selecting the session asks for the password. */
  active: boolean;
}

export interface SelectAccountProps {
  flow: string;
  action: string;
  /** The sessions in the order shown: the one that matches login_hint first. */
  sessions: readonly SelectableSession[];
  appName?: string;
  organizationName?: string;
  /** Whether the sign-in is for an application, which is informed of a cancellation. */
  isCancellable?: boolean;
}

export function SelectAccountPage({
  t,
  locale,
  ...props
}: SelectAccountProps & { t: LoginTranslator; locale: string }) {
  return (
    <>
      <h1>{t("selectAccount.title")}</h1>
      <ToApp t={t} appName={props.appName} />
      <form method="post" action={props.action}>
        <HiddenFields values={{ flow: props.flow, ui_locales: locale }} />
        <ul className="accounts">
          {props.sessions.map((session, index) => (
            <li key={session.id}>
              <button className="account" type="submit" name="session" id={`session-${index + 1}`} value={session.id}>
                <AccountLine t={t} session={session} />
              </button>
              <button
                className="sign-out"
                type="submit"
                name="remove-session"
                id={`remove-session-${index + 1}`}
                value={session.id}
              >
                <SignOutSign />
                {/* In some languages the short label is not part of the full one, so only the full one is read out. */}
                <span aria-hidden="true">{t("selectAccount.remove")}</span>
                <span className="hidden">
                  {t.rich("selectAccount.removeOf", { ...bdi, name: plainName(session.displayName) })}
                </span>
              </button>
            </li>
          ))}
        </ul>
        <button className="secondary" type="submit" id="use-another-account" name="use-another-account" value="1">
          {t("selectAccount.another")}
        </button>
      </form>
      {props.isCancellable && <CancelSignIn t={t} locale={locale} flow={props.flow} />}
    </>
  );
}

function AccountLine({ t, session }: { t: LoginTranslator; session: SelectableSession }) {
  const { displayName, loginName, organizationName, active } = session;
  return (
    <>
      <Initial of={displayName || loginName} />
      <Who displayName={displayName} loginName={loginName}>
        {organizationName && (
          <span>
            <Name>{organizationName}</Name>
          </span>
        )}
        <span className={active ? "state active" : "state"}>
          {active ? t("selectAccount.active") : t("selectAccount.ended")}
        </span>
      </Who>
    </>
  );
}

/** A door with an arrow out of it; mirrored in right-to-left languages. */
function SignOutSign() {
  return (
    <svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true" focusable="false">
      <path
        d="M8 3.5H4.5v13H8M13 6.5l3.5 3.5-3.5 3.5M16.5 10H8"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.6"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}
