// npm start: from a fresh clone to a running service. Installs and builds what is missing, then becomes the service:
// it is loaded into this process, so that a signal to the process or to its group reaches it directly, once.
import { ensureStartable } from "./build.mjs";
import { inProject, releaseSignals, requireNode } from "./environment.mjs";

requireNode();
await ensureStartable();
releaseSignals();
process.argv[1] = inProject("dist", "server.mjs"); // what further processes of the service (WORKERS) are started from
await import("../dist/server.mjs");
