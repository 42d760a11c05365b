/** Guarantees for operators: metrics of all processes together, and one process per embedded database. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inProject } from "../scripts/environment.mjs";
import { freePort } from "../scripts/free-port.mjs";
import { startPostgres } from "../scripts/postgres.mjs";
import { startService as startBy } from "../scripts/service.mjs";
import { expect, test } from "./fixtures";
import { startService } from "./service";

test("several processes report their metrics as one", async () => {
  const postgres = await startPostgres({ durable: false });
  const env = { DATABASE_URL: postgres.url, WORKERS: "2", SECRET_KEY: "a-secret-key-for-two-processes-long-enough" };
  const service = await startService({ env });
  try {
    // Uses one connection each, because connections are distributed to the processes in turn.
    for (let index = 0; index < 10; index++) {
      await fetch(`${service.baseUrl}/healthz`, { headers: { connection: "close" } });
    }
    let text = "";
    const figures = async () => {
      text = await (await fetch(`${service.baseUrl}/metrics`)).text();
      return text;
    };
    // On a busy machine a process may respond too late, which the scrape reports: it retries.
    await expect
      .poll(figures)
      .toContain('identity_http_request_duration_seconds_count{method="GET",route="/healthz",status="200"} 10\n');
    expect(text).toMatch(/^process_resident_memory_bytes \d+$/m);
    expect(text.match(/^# TYPE identity_outbox_messages /gm)).toHaveLength(1);
  } finally {
    await service.stop();
    await postgres.stop();
  }
});

test("a second process on the same embedded database ends with a message of one line", async () => {
  const folder = mkdtempSync(join(tmpdir(), "one-process-"));
  const env = { DATABASE_URL: `file:${join(folder, "service.db")}` };
  const service = await startService({ env });
  try {
    await expect(startService({ env })).rejects.toThrow(
      /it ended with 1\nDATABASE_URL: another process serves \S+service\.db already; [^\n]+\n$/,
    );
    expect((await fetch(`${service.baseUrl}/readyz`)).status).toBe(200);
  } finally {
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  }
});

for (const server of ["own", "next"] as const) {
  test(`a start with a limit of 64 open files ends with status 1 and a line that names ulimit -n: ${server}`, async () => {
    const flags = ["-c", 'ulimit -n 64 && exec "$0" "$@"', process.execPath];
    await expect(startBy({ server, node: "/bin/sh", flags })).rejects.toThrow(
      /it ended with 1\n(?:.*\n)*The limit on open files is too low: [^\n]*ulimit -n[^\n]*\n$/,
    );
  });
}

for (const [signal, processes] of [
  ["SIGINT", 1],
  ["SIGTERM", 2],
] as const) {
  test(`${signal} ends a start that is under way, with status 0: ${processes} process(es)`, async () => {
    const folder = mkdtempSync(join(tmpdir(), "stopped-start-"));
    const postgres = processes > 1 ? await startPostgres({ durable: false }) : undefined;
    const env: NodeJS.ProcessEnv = {
      NODE_ENV: "production",
      PATH: process.env.PATH,
      PORT: String(await freePort()),
      DATABASE_URL: postgres?.url ?? `file:${join(folder, "service.db")}`,
      WORKERS: String(processes),
      SECRET_KEY: "a-secret-key-for-two-processes-long-enough",
      LOG_FORMAT: "text",
    };
    const service = spawn(process.execPath, [inProject("dist", "server.mjs")], { cwd: folder, env });
    try {
      let output = "";
      for await (const text of service.stdout) {
        output += text;
        if (output.includes("database schema brought up to date")) break;
      }
      service.kill(signal);
      expect(await once(service, "exit")).toEqual([0, null]);
      expect(output).not.toContain("ready");
    } finally {
      service.kill("SIGKILL");
      await postgres?.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  });
}
