import { PlaygroundResult } from "../../../../components/console/playground/result";
import { pageOf } from "../../page-of";

const { metadata, Page } = pageOf("playground", ({ viewer }) => <PlaygroundResult sessionId={viewer.user.sessionId} />);
export const generateMetadata = metadata;
export default Page;
