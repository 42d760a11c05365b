import { getTranslations } from "next-intl/server";
import { NoAccess } from "../../components/console/notices";
import { OverviewPage } from "../../components/console/overview";
import { currentDesk, mayOpen } from "./desk";

export async function generateMetadata() {
  const t = await getTranslations();
  return { title: mayOpen(await currentDesk(), "overview") ? t("pages.overview") : t("noAccess.title") };
}

export default async function Page() {
  const desk = await currentDesk();
  if (!mayOpen(desk, "overview")) return <NoAccess name={desk.visitor.name} hasAccountPage={desk.hasAccountPage} />;
  return <OverviewPage {...(await desk.overview())} showsMail={mayOpen(desk, "mail")} />;
}
