import { OverviewPage } from "../../components/console/overview";
import { pageOf } from "./page-of";

const { metadata, Page } = pageOf("overview", async ({ desk }) => (
  <OverviewPage {...(await desk.overview())} showsMail={desk.pages.includes("mail")} />
));
export const generateMetadata = metadata;
export default Page;
