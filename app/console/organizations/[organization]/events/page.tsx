import { eventLogPage } from "../../../events/log-page";
import { pageOf } from "../../../page-of";

const { metadata, Page } = pageOf("events", (context) => eventLogPage("organization", context));
export const generateMetadata = metadata;
export default Page;
