// npm run drill -- <name>: injects a fault into the running service, and reports which requests succeeded, which failed
// and what was lost. Exits with status 1 if anything acknowledged was lost or an unexpected failure happened, and with
// 2 if this machine lacks what the drill needs.
import { readdirSync } from "node:fs";
import { ensureStartable } from "../scripts/build.mjs";
import { fail, inProject, requireNode } from "../scripts/environment.mjs";
import { failures, say } from "./harness/report.mjs";
import { endAll } from "./harness/service.mjs";

const [name = "list", ...options] = process.argv.slice(2);
const drills = readdirSync(inProject("drills"))
  .filter((file) => file.endsWith(".mjs") && file !== "run.mjs")
  .map((file) => file.slice(0, -".mjs".length));

const spelled = (defaults) => Object.entries(defaults).map(([option, value]) => `--${option}=${value}`);

async function list() {
  for (const drill of drills) {
    const { summary, defaults = {} } = await import(`./${drill}.mjs`);
    say(`${drill.padEnd(16)} ${[summary, ...spelled(defaults)].join(" ")}`);
  }
}

/** Returns the defaults with the given values. Ends the process with a message if one is invalid. */
function settingsFrom(defaults) {
  const settings = { ...defaults };
  for (const option of options) {
    const [, key, value] = option.match(/^--(\w+)=(.+)$/) ?? [];
    if (!(key in defaults)) fail(`${option}: ${name} takes ${spelled(defaults).join(" ") || "no options"}`);
    const isNumber = typeof defaults[key] === "number";
    if (isNumber && !/^\d{1,6}$/.test(value)) fail(`${option}: --${key} is a whole number`);
    if (key === "on" && !/^(sqlite|postgresql)(,(sqlite|postgresql))?$/.test(value)) {
      fail(`${option}: --on is sqlite or postgresql`);
    }
    settings[key] = isNumber ? Number(value) : value;
  }
  return settings;
}

async function run() {
  requireNode();
  const { summary, drill, defaults = {} } = await import(`./${name}.mjs`);
  const settings = settingsFrom(defaults);
  await ensureStartable();
  say(`${name}: ${summary}`);
  try {
    await drill(settings);
    return failures() === 0 ? 0 : 1;
  } catch (error) {
    say(error.cannotRun ? `CANNOT RUN ${error.message}` : `FAILED ${error.stack}`);
    return error.cannotRun ? 2 : 1;
  } finally {
    await endAll();
  }
}

const interrupted = async () => {
  await endAll();
  process.exit(130);
};
process.on("SIGINT", interrupted);
process.on("SIGTERM", interrupted);

if (name === "list") await list();
else if (drills.includes(name)) process.exit(await run());
else fail(`There is no drill ${name}; there are: ${drills.join(", ")}`);
