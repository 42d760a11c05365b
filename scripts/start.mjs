// npm start: from a fresh clone to a running service. Installs and builds what is missing, then becomes the service:
// it is loaded into this process, so that a signal to the process or to its group reaches it directly, once.
import { ensureBuilt } from "./build.mjs";
import { ensureInstalled, fail, releaseSignals, requireNode } from "./environment.mjs";

requireNode();
await ensureInstalled();
await ensureBuilt().catch((error) => fail(error.message));
releaseSignals();
await import("../dist/server.mjs");
