import { pageOf } from "../../../page-of";
import { editorPage } from "../../../texts/editor-page";

const { metadata, Page } = pageOf("texts", (context) => editorPage("organization", context));
export const generateMetadata = metadata;
export default Page;
