// npm run dev: runs the service with reload. Server code is bundled and restarted after every change; Next reloads the
// pages. It uses a separate database (data/dev.db) filled from scripts/demo.json, and keeps emails instead of sending
// them.
import { spawn } from "node:child_process";
import { bundleOptions, generateSources } from "./build.mjs";
import { ensureInstalled, inProject, releaseSignals, requireNode, root, say } from "./environment.mjs";

requireNode();
await ensureInstalled();
await generateSources();
releaseSignals();

const environment = {
  NODE_ENV: "development",
  NEXT_TELEMETRY_DISABLED: "1",
  DATABASE_URL: "file:./data/dev.db",
  BOOTSTRAP_FILE: inProject("scripts", "demo.json"),
  SHUTDOWN_NOTICE: "0s",
  ...process.env,
};

let service;
let ending = false;

/** Stops the running service, if any. Resolves once its port is free. */
function stop() {
  const running = service;
  if (!running || running.exitCode !== null || running.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    running.once("exit", resolve);
    running.kill("SIGTERM");
  });
}

async function restart() {
  await stop();
  if (ending) return;
  service = spawn(process.execPath, [inProject(".dev", "server.mjs"), "--dev"], {
    cwd: root,
    env: environment,
    stdio: "inherit",
  });
  service.on("exit", (code) => {
    if (code) say(`The service ended with ${code}; it is started again at the next change.`);
  });
}

let restarting = Promise.resolve();
const restartAfterBuild = {
  name: "restart after build",
  setup(build) {
    build.onEnd(({ errors }) => {
      if (errors.length === 0) restarting = restarting.then(restart);
    });
  },
};

const esbuild = await import("esbuild");
const options = bundleOptions(".dev", "development");
const context = await esbuild.context({
  ...options,
  logLevel: "warning",
  plugins: [...options.plugins, restartAfterBuild],
});
await context.watch();

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  process.on(signal, async () => {
    if (ending) return;
    ending = true;
    await restarting;
    await stop();
    await context.dispose();
    process.exit(0);
  });
}
