import { pageOf } from "../page-of";
import { mailLogPage } from "./log-page";

const { metadata, Page } = pageOf("mail", (context) => mailLogPage("organization", context));
export const generateMetadata = metadata;
export default Page;
