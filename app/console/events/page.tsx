import { pageOf } from "../page-of";
import { eventLogPage } from "./log-page";

const { metadata, Page } = pageOf("instance_events", (context) => eventLogPage("instance", context));
export const generateMetadata = metadata;
export default Page;
