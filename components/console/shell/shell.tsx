// The frame of every page of the console: skip link, brand, visitor, navigation, content, languages. Landmarks are in
// reading order, for the keyboard and on phones too.
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Mark, PRODUCT_NAME } from "../../ui/logo";
import { LoginName, Name } from "../../ui/user-text";
import { Icon } from "../parts/icons";

export interface ShellProps {
  user: { name: string; loginName: string; csrfToken: string };
  hasAccountPage: boolean;
  /** The current organization and the switch to another; empty for visitors without a role. */
  organization: ReactNode;
  /** The command palette. */
  palette: ReactNode;
  navigation: ReactNode;
  /** The navigation of narrow screens, behind a button. */
  menu: ReactNode;
  languages: ReactNode;
  children: ReactNode;
}

export function Shell(props: ShellProps) {
  const { user, hasAccountPage, organization, palette, menu, navigation, languages, children } = props;
  const t = useTranslations();
  return (
    <>
      <a className="skip" href="#content">
        {t("frame.skip")}
      </a>
      <header className="bar">
        <a className="brand" href="/console">
          <Mark />
          <span className="wide">
            {PRODUCT_NAME} <span className="quiet">{t("product")}</span>
          </span>
        </a>
        {menu}
        {organization}
        {palette}
        <div className="visitor">
          <p className="who wide">
            <strong>
              <Name>{user.name}</Name>
            </strong>
            <span className="quiet">
              <LoginName>{user.loginName}</LoginName>
            </span>
          </p>
          {hasAccountPage && (
            <a href="/account" className="bar-act">
              <Icon name="account" />
              <span className="wide">{t("frame.account")}</span>
            </a>
          )}
          <form method="post" action="/console/sign-out">
            <input type="hidden" name="csrf" value={user.csrfToken} />
            <button type="submit" className="plain bar-act" id="sign-out" name="sign-out">
              <Icon name="signOut" />
              <span className="wide">{t("frame.signOut")}</span>
            </button>
          </form>
        </div>
      </header>
      <div className="columns">
        {navigation}
        <main id="content" tabIndex={-1}>
          {children}
        </main>
      </div>
      <footer className="foot">{languages}</footer>
    </>
  );
}
