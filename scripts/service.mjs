// Starts the built service as a user does: in a separate process, in an empty folder, configured by its environment.
// For the browser tests and the bench, which only see it from outside.
import { spawn } from "node:child_process";
import { chownSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "./environment.mjs";
import { freePort } from "./free-port.mjs";

const READY_MS = 240_000;
const DRAIN_MS = 25_000;
/** The line that it prints when it has its port. */
const HAS_PORT = "Identity service ready at";

/** The programs by server: our own, or Next's, which takes the port as an argument. */
const PROGRAMS = {
  own: (_, from) => [join(from, "dist", "server.mjs")],
  next: (port, from) => [join(from, "node_modules", "next", "dist", "bin", "next"), "start", from, "-p", String(port)],
};

/**
 * Resolves when the service answers /readyz. Rejects with its output if it ends before or takes more than four
 * minutes.
 * @param {{ bootstrap?: unknown, env?: Record<string, string>, server?: "own" | "next", from?: string, uid?: number,
 *   flags?: string[], node?: string, folder?: string, port?: number }} options the content of the bootstrap file;
 *   further settings, undefined to omit one; the server; the folder of the built service; the user of the process;
 *   flags for Node.js; its program; a folder that remains, for a service that is started again; the port
 */
export async function startService({
  bootstrap,
  env = {},
  server = "own",
  from = root,
  uid,
  flags = [],
  node = process.execPath,
  ...place
} = {}) {
  const folder = place.folder ?? mkdtempSync(join(tmpdir(), "identity-service-"));
  const port = place.port ?? (await freePort());
  const baseUrl = `http://localhost:${port}`;
  const settings = {
    PATH: process.env.PATH ?? "",
    HOME: folder,
    PORT: String(port),
    BASE_URL: baseUrl,
    DATABASE_URL: `file:${join(folder, "service.db")}`,
    LOG_FORMAT: "json",
    SHUTDOWN_NOTICE: "0s", // no load balancer has to be notified before a stop
    NEXT_TELEMETRY_DISABLED: "1",
  };
  if (bootstrap !== undefined) {
    settings.BOOTSTRAP_FILE = join(folder, "bootstrap.json");
    writeFileSync(settings.BOOTSTRAP_FILE, JSON.stringify(bootstrap));
  }
  const environment = { ...settings, ...env };
  if (uid !== undefined) chownSync(folder, uid, uid);
  const child = spawn(node, [...flags, ...PROGRAMS[server](port, from)], {
    cwd: folder,
    uid,
    env: environment,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text) => {
      output += text;
    });
  }
  const end = new Promise((resolve) => child.once("exit", (code, signal) => resolve(code ?? signal)));
  const killWithUs = () => child.kill("SIGKILL");
  process.on("exit", killWithUs);

  /** Stops the service. Resolves with its exit status, or with "SIGKILL" if it had to be killed. */
  const stop = async () => {
    child.kill("SIGTERM");
    const timer = setTimeout(() => child.kill("SIGKILL"), DRAIN_MS);
    const status = await end;
    clearTimeout(timer);
    process.off("exit", killWithUs);
    if (place.folder === undefined) rmSync(folder, { recursive: true, force: true });
    return status;
  };
  /** Ends the service at once, as a crash of the machine would. */
  const kill = () => {
    child.kill("SIGKILL");
    return end;
  };

  try {
    await Promise.race([
      answersReady(baseUrl, () => output.includes(HAS_PORT)),
      end.then((status) => Promise.reject(new Error(`it ended with ${status}`))),
    ]);
  } catch (error) {
    await stop();
    throw new Error(`The service did not start: ${error.message}\n${output}`);
  }
  return { baseUrl, folder, env: environment, pid: child.pid, output: () => output, stop, kill };
}

/**
 * Resolves when the service is ready. @param {() => boolean} hasPort false while a response comes from another server
 */
async function answersReady(baseUrl, hasPort) {
  const deadline = Date.now() + READY_MS;
  const ready = () =>
    fetch(`${baseUrl}/readyz`).then(
      (response) => response.ok,
      () => false,
    );
  for (;;) {
    if (hasPort() && (await ready())) return;
    if (Date.now() > deadline) throw new Error(`not ready after ${READY_MS / 1000} s`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
