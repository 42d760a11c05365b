// npm run admin -- <command>: the operator's tool on the same installation and build as npm start.
import { ensureBuilt } from "./build.mjs";
import { ensureInstalled, releaseSignals, requireNode } from "./environment.mjs";

requireNode();
await ensureInstalled();
await ensureBuilt();
releaseSignals();
await import("../dist/admin.mjs");
