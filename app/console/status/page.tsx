import { notFound } from "next/navigation";
import type { Statistics } from "../../../components/console/operations/statistics";
import { StatusPage } from "../../../components/console/operations/status-page";
import { pageOf } from "../page-of";

const { metadata, Page } = pageOf("status", async ({ viewer }) => {
  const found = await viewer.call<Statistics>("GET", "/admin/v1/statistics");
  if (!found.ok) notFound();
  return <StatusPage statistics={found.body} />;
});
export const generateMetadata = metadata;
export default Page;
