// Installs the locked packages if they are missing, as every other command does first.
import { ensureInstalled, requireNode } from "./environment.mjs";

requireNode();
await ensureInstalled();
