import { pageOf } from "../../../../page-of";
import { wordsPage } from "../../../../texts/words-page";

const { metadata, Page } = pageOf("words", (context) => wordsPage("organization", context));
export const generateMetadata = metadata;
export default Page;
