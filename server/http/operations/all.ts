/** Every operation of the management APIs but those on message texts, which are also remote procedures (../texts). */
import { languageOperations } from "./languages";
import type { Operation } from "./operation";

export const operations: readonly Operation[] = [...languageOperations];
