// Installs the locked packages if they are missing, as every other command does first.
import { ensureCompiled, ensureInstalled, fail, requireNode } from "./environment.mjs";

requireNode();
await ensureInstalled();
await ensureCompiled().catch((error) => fail(error.message));
