import { useTranslations } from "next-intl";

export default function NotFound() {
  const t = useTranslations();
  return (
    <>
      <h1>{t("notFound.title")}</h1>
      <p>{t("notFound.text")}</p>
      <p>
        <a href="/console">{t("notFound.back")}</a>
      </p>
    </>
  );
}
