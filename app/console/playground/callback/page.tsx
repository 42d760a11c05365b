import { PlaygroundResult } from "../../../../components/console/playground/result";
import { pageOf } from "../../page-of";

const { metadata, Page } = pageOf("overview", () => <PlaygroundResult />);
export const generateMetadata = metadata;
export default Page;
