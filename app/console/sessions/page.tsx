import { pageOf } from "../page-of";
import { sessionsPage } from "../sessions-page-of";

const { metadata, Page } = pageOf("instance_sessions", (context) => sessionsPage("instance_sessions", context));
export const generateMetadata = metadata;
export default Page;
