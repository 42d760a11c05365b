// node drills/harness/bundle.mjs <checkout>: bundles the service of a checkout without its console, which no drill
// opens and which is most of a build. Uses the rules of that checkout and the esbuild of this one.
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";

const folder = resolve(process.argv[2] ?? "");
const { bundleOptions, generateSources } = await import(pathToFileURL(join(folder, "scripts", "build.mjs")).href);
await generateSources();
await build(bundleOptions("dist", "production"));
