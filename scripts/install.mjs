// node scripts/install.mjs [service]: installs the locked packages if they are missing, as every other command does
// first: all of them, or those that a start needs.
import { ensureInstalled, fail } from "./environment.mjs";

const [extent = "everything"] = process.argv.slice(2);
if (!["everything", "service"].includes(extent)) fail("install.mjs takes nothing, or: service");
await ensureInstalled(extent);
