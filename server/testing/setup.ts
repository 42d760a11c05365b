/** Runs around every test file, which shares the loaded modules with those its process has run before. */
import { afterAll } from "vitest";
import { cleanUp } from "./database";
import { cheapHashes } from "./hashes";

cheapHashes();
afterAll(cleanUp);
