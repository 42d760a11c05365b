import { attemptsPage } from "../attempts-page-of";
import { pageOf } from "../page-of";

const { metadata, Page } = pageOf("instance_attempts", (context) => attemptsPage("instance_attempts", context));
export const generateMetadata = metadata;
export default Page;
