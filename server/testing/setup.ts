/** Runs before and after every test file, which shares the loaded modules with earlier files of its process. */
import { afterAll } from "vitest";
import { cleanUp } from "./database";
import { cheapHashes } from "./hashes";

cheapHashes();
afterAll(cleanUp);
