// npm run bench: makes sure that what is measured is the current build, then measures (bench/run.mjs).
import { ensureBuilt } from "./build.mjs";
import { ensureInstalled, fail, requireNode } from "./environment.mjs";

requireNode();
await ensureInstalled();
if (!process.argv.includes("--help")) await ensureBuilt().catch((error) => fail(error.message));
await import("../bench/run.mjs");
