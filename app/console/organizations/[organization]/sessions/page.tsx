import { pageOf } from "../../../page-of";
import { sessionsPage } from "../../../sessions-page-of";

const { metadata, Page } = pageOf("sessions", (context) => sessionsPage("sessions", context));
export const generateMetadata = metadata;
export default Page;
