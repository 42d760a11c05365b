import { attemptsPage } from "../../../attempts-page-of";
import { pageOf } from "../../../page-of";

const { metadata, Page } = pageOf("attempts", (context) => attemptsPage("attempts", context));
export const generateMetadata = metadata;
export default Page;
