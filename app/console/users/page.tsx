import { pageOf } from "../page-of";
import { usersPage } from "../users-page-of";

const { metadata, Page } = pageOf("everybody", (context) => usersPage(context, undefined));
export const generateMetadata = metadata;
export default Page;
