import { pageOf } from "../../../page-of";
import { usersPage } from "../../../users-page-of";

const { metadata, Page } = pageOf("users", (context) => usersPage(context, context.organization));
export const generateMetadata = metadata;
export default Page;
