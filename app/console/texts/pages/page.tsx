import { pageOf } from "../../page-of";
import { wordsPage } from "../words-page";

const { metadata, Page } = pageOf("instance_words", (context) => wordsPage("instance", context));
export const generateMetadata = metadata;
export default Page;
