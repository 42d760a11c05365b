// npm run admin -- <command>: the operator's tool on the same installation and build as npm start.
import { ensureBuilt } from "./build.mjs";
import { ensureInstalled, fail, releaseSignals, requireNode } from "./environment.mjs";

requireNode();
await ensureInstalled();
await ensureBuilt().catch((error) => fail(error.message));
releaseSignals();
await import("../dist/admin.mjs");
