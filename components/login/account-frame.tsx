// The frame of the account pages: the same list of links beside each page, without scripts, with the current page
// marked, and a note when a change was saved.
import type { ReactNode } from "react";
import type { LoginTranslator } from "../../messages/login";
import { HiddenFields } from "../ui/form";
import { linkTarget } from "../ui/links";

/** Fields that every page and form sends: the session of the browser that it is for, and the chosen language. */
export type AccountFields = Readonly<Record<string, string | undefined>>;

/** The sections in the order of the list. */
export const accountSections = {
  overview: { path: "/account", title: "account.title" },
  security: { path: "/account/security", title: "account.security" },
  profile: { path: "/account/profile", title: "account.profile" },
  email: { path: "/account/email", title: "common.email" },
  phone: { path: "/account/phone", title: "account.phone" },
  sessions: { path: "/account/sessions", title: "account.sessions" },
  apps: { path: "/account/apps", title: "account.connected" },
  activity: { path: "/account/activity", title: "account.activity" },
} as const;
export type AccountSection = keyof typeof accountSections;

export const SIGN_OUT_PATH = "/account/sign-out";

/** Returns the title of the document and of the page. */
export function sectionTitle(t: LoginTranslator, section: AccountSection): string {
  return t(accountSections[section].title);
}

/** Returns the address of an account page, with the fields that it passes on. */
export function accountHref(path: string, fields: AccountFields, more: AccountFields = {}): string {
  const given = Object.entries({ ...fields, ...more }).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  return `${path}?${new URLSearchParams(given)}`;
}

export interface AccountFrameProps {
  t: LoginTranslator;
  section: AccountSection;
  fields: AccountFields;
  /** Whether a change has just been made. */
  saved?: boolean;
  children: ReactNode;
}

export function AccountFrame({ t, section, fields, saved, children }: AccountFrameProps) {
  return (
    <div className={section === "overview" ? "account-page is-overview" : "account-page"}>
      <nav aria-label={t("account.title")} className="account-nav">
        <ul>
          {Object.entries(accountSections).map(([name, { path, title }]) => (
            <li key={name}>
              <a href={accountHref(path, fields)} aria-current={name === section ? "page" : undefined}>
                {t(title)}
              </a>
            </li>
          ))}
          <li>
            <AccountButton action={SIGN_OUT_PATH} fields={{ ui_locales: fields.ui_locales }} id="sign-out">
              {t("account.signOut")}
            </AccountButton>
          </li>
        </ul>
      </nav>
      <div className="account-content">
        <h1>{sectionTitle(t, section)}</h1>
        {saved && <SavedNote t={t} />}
        {children}
      </div>
    </div>
  );
}

function SavedNote({ t }: { t: LoginTranslator }) {
  return (
    <p className="note" role="status">
      {t("account.saved")}
    </p>
  );
}

/** A form with one button, for actions that need no confirmation. */
export function AccountButton(props: {
  action: string;
  fields: AccountFields;
  id: string;
  className?: "link" | "secondary" | "primary";
  children: ReactNode;
}) {
  return (
    <form method="post" action={props.action}>
      <HiddenFields values={props.fields} />
      <button className={props.className ?? "link"} type="submit" id={props.id}>
        {props.children}
      </button>
    </form>
  );
}

/** The back link of a page that only asks. */
export function Cancel({ t, href }: { t: LoginTranslator; href: string }) {
  return (
    <p className="aside">
      <a id="cancel" href={linkTarget(href)}>
        {t("account.cancel")}
      </a>
    </p>
  );
}
