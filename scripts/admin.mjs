// npm run admin -- <command>: the operator's tool on the same installation and build as npm start.
import { ensureStartable } from "./build.mjs";
import { releaseSignals, requireNode } from "./environment.mjs";

requireNode();
await ensureStartable();
releaseSignals();
await import("../dist/admin.mjs");
