import { notFound } from "next/navigation";
import { StatusPage } from "../../../components/console/operations/status-page";
import { GetInstanceStatistics } from "../../../shared/generated/operations";
import { pageOf } from "../page-of";

const { metadata, Page } = pageOf("status", async ({ viewer, timeZone }) => {
  const found = await viewer.call(GetInstanceStatistics, { query: { timeZone } });
  if (!found.ok) notFound();
  return <StatusPage statistics={found.body} />;
});
export const generateMetadata = metadata;
export default Page;
