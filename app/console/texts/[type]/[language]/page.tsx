import { pageOf } from "../../../page-of";
import { editorPage } from "../../editor-page";

const { metadata, Page } = pageOf("instance_texts", (context) => editorPage("instance", context));
export const generateMetadata = metadata;
export default Page;
