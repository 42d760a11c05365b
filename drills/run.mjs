// npm run drill -- <name>: puts a fault into the running service, and says what was answered, what failed and what was
// lost. Ends with status 1 if anything acknowledged was lost or something failed that must not, with 2 if this machine
// lacks what the drill needs.
import { existsSync, readdirSync } from "node:fs";
import { ensureStartable } from "../scripts/build.mjs";
import { inProject, requireNode } from "../scripts/environment.mjs";
import { failures, say } from "./harness/report.mjs";
import { endAll } from "./harness/service.mjs";

const [name = "list", ...options] = process.argv.slice(2);
const drills = readdirSync(inProject("drills"))
  .filter((file) => file.endsWith(".mjs") && file !== "run.mjs")
  .map((file) => file.slice(0, -".mjs".length));

/** `--seconds=20` as { seconds: "20" }. */
const settings = Object.fromEntries(options.map((option) => option.replace(/^--/, "").split("=")));

async function list() {
  for (const drill of drills) {
    const { summary } = await import(`./${drill}.mjs`);
    say(`${drill.padEnd(18)} ${summary}`);
  }
}

async function run() {
  requireNode();
  if (!existsSync(inProject("dist", "server.mjs")) || settings.build !== "no") await ensureStartable();
  const { summary, drill } = await import(`./${name}.mjs`);
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
else {
  process.stderr.write(`There is no drill ${name}; there are: ${drills.join(", ")}\n`);
  process.exit(1);
}
