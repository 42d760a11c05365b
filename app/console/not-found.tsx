import { getTranslations } from "next-intl/server";
import { TellFacts } from "./frame-facts-of";

export default async function NotFound() {
  const t = await getTranslations();
  return (
    <>
      <TellFacts />
      <h1>{t("notFound.title")}</h1>
      <p>{t("notFound.text")}</p>
      <p>
        <a href="/console">{t("notFound.back")}</a>
      </p>
    </>
  );
}
