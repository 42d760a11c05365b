// Pages that have nothing to show and say what to do instead.
import { useTranslations } from "next-intl";
import { Name } from "../ui/user-text";

export function NoAccess({ name, hasAccountPage }: { name: string; hasAccountPage: boolean }) {
  const t = useTranslations();
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
