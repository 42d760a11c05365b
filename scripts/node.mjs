// Prints the folder of a supported Node.js; nothing if the one that runs this is supported. An older one fetches an LTS
// version from the npm registry into .node, once. For scripts/with-node.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { exclusively, fail, inProject, npm, say } from "./environment.mjs";
import { isSupported, NEEDED } from "./node-version.mjs";

/** The packages to fetch by platform: they contain the official binaries, each with its integrity. */
const pins = () => JSON.parse(readFileSync(inProject("scripts", "node.json"), "utf8"));

/**
 * Fetches a pinned package and returns the folder of its program. npm compares the package with the pinned integrity.
 * The folder appears in one step, after the program has run once, so that an interrupted fetch leaves nothing that is
 * used.
 * @param {{ name: string, version: string, integrity: string }} pin
 * @param {string} folder where fetched versions are kept
 */
export async function fetchNode(pin, folder) {
  const target = join(folder, `${pin.name}-${pin.version}`);
  const bin = join(target, "bin");
  if (existsSync(bin)) return bin;
  mkdirSync(folder, { recursive: true });
  await exclusively(
    async () => {
      if (existsSync(bin)) return;
      const staging = mkdtempSync(join(folder, "fetch-"));
      try {
        writeLockfile(staging, pin);
        const args = ["ci", "--prefix", staging, "--ignore-scripts", "--no-bin-links"];
        await npm(
          `Fetching Node.js ${pin.version} from the npm registry into .node, as ${process.version} is too old`,
          args,
        );
        const fetched = join(staging, "node_modules", pin.name);
        checkRuns(join(fetched, "bin", "node"), pin.version);
        renameSync(fetched, target);
      } finally {
        rmSync(staging, { recursive: true, force: true });
      }
    },
    join(folder, "lock"),
  );
  return bin;
}

/** Writes a project with the package as its only dependency, locked by its integrity. */
function writeLockfile(folder, { name, version, integrity }) {
  const project = { name: "fetch", version: "0.0.0", dependencies: { [name]: version } };
  const packages = { "": project, [`node_modules/${name}`]: { version, integrity } };
  writeFileSync(join(folder, "package.json"), JSON.stringify(project));
  writeFileSync(join(folder, "package-lock.json"), JSON.stringify({ ...project, lockfileVersion: 3, packages }));
}

function checkRuns(program, version) {
  const { error, status, stdout, stderr } = spawnSync(program, ["--version"], { encoding: "utf8" });
  if (status === 0 && stdout.trim() === `v${version}`) return;
  throw new Error(`it does not run on this machine: ${error?.message ?? stderr.trim()}`);
}

/** Returns the most informative line of npm's output. */
const reasonOf = (error) =>
  error.message
    .split("\n")
    .map((line) => line.replace(/^npm error (?:code )?/, "").trim())
    .filter((line) => line !== "")
    .slice(1, 3)
    .join(": ") || error.message;

if (process.argv[1] === inProject("scripts", "node.mjs") && !isSupported(process.versions.node)) {
  const platform = `${process.platform}-${process.arch}`;
  const pin = pins()[platform];
  if (!pin) fail(`${NEEDED} is needed; this is ${process.version}, and there is none to fetch for ${platform}.`);
  try {
    process.stdout.write(await fetchNode(pin, inProject(".node")));
  } catch (error) {
    say(`Node.js ${pin.version} could not be fetched (${reasonOf(error)}). Install ${NEEDED}.`);
    process.exitCode = 1;
  }
}
