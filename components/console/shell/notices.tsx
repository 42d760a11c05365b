// Pages that have no content and explain what to do instead.
import { useTranslations } from "next-intl";
import { Name } from "../../ui/user-text";

export interface NoAccessProps {
  name: string;
  hasAccountPage: boolean;
  /** Whether the visitor may open other pages. */
  hasPages: boolean;
}

export function NoAccess({ name, hasAccountPage, hasPages }: NoAccessProps) {
  const t = useTranslations();
  if (hasPages) {
    return (
      <>
        <h1>{t("noAccess.title")}</h1>
        <p>{t("noAccess.here")}</p>
        <p>
          <a href="/console">{t("notFound.back")}</a>
        </p>
      </>
    );
  }
  return (
    <>
      <h1>{t("noAccess.title")}</h1>
      <p>{t.rich("noAccess.text", { name: () => <Name>{name}</Name> })}</p>
      <p>{t("noAccess.next")}</p>
      {hasAccountPage && (
        <p>
          <a href="/account">{t("noAccess.account")}</a>
        </p>
      )}
    </>
  );
}
