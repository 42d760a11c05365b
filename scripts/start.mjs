// npm start: from a fresh clone to a running service. Installs and builds what is missing, then loads the service into
// this process, so that a signal to the process or to its group reaches it directly, once.
import { ensureStartable } from "./build.mjs";
import { inProject, releaseSignals, requireNode } from "./environment.mjs";

requireNode();
await ensureStartable();
releaseSignals();
process.argv[1] = inProject("dist", "server.mjs"); // the program of further processes of the service (WORKERS)
await import("../dist/server.mjs");
