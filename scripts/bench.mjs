// npm run bench: builds the service if necessary, then measures it (bench/run.mjs).
import { ensureBuilt } from "./build.mjs";
import { ensureInstalled, fail, requireNode } from "./environment.mjs";

requireNode();
await ensureInstalled();
if (!process.argv.includes("--help")) await ensureBuilt().catch((error) => fail(error.message));
await import("../bench/run.mjs");
