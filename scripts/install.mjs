// Installs the locked packages unless they are there: what every other command does first.
import { ensureInstalled, requireNode } from "./environment.mjs";

requireNode();
await ensureInstalled();
