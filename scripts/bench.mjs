// npm run bench: makes sure that what is measured is the current build, then measures (bench/run.mjs).
import { ensureBuilt } from "./build.mjs";
import { ensureCompiled, ensureInstalled, fail, requireNode } from "./environment.mjs";

requireNode();
await ensureInstalled();
if (!process.argv.includes("--help")) {
  await ensureCompiled().catch((error) => fail(error.message));
  await ensureBuilt().catch((error) => fail(error.message));
}
await import("../bench/run.mjs");
