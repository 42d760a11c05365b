import { pageOf } from "../../page-of";
import { mailLogPage } from "../log-page";

const { metadata, Page } = pageOf("instance_mails", (context) => mailLogPage("instance", context));
export const generateMetadata = metadata;
export default Page;
