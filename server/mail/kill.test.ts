/** Kills the sending process while it sends; the next one finishes its work. */
import { spawn } from "node:child_process";
import { build } from "esbuild";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { record } from "../events/record";
import { messageTo } from "../message-types/message";
import { passwordChange } from "../message-types/password-change";
import { appliedContext, type BareContext } from "../testing/bare-context";
import { databaseKinds, postgresUrl } from "../testing/database";
import { exampleBootstrap } from "../testing/example";
import { startMailServer, type TestMailServer } from "../testing/mail-server";
import { LEASE_TIME } from "./deliver";

/** Source of a program that sends queued messages until it is killed. Its clock can be ahead. */
let program: string;
beforeAll(async () => {
  const contents = `import { connect } from "../storage/engine/connect";
    import { loadConfig } from "../config/config";
    import { openSecrets } from "../crypto/secrets";
    import { pino } from "pino";
    import { startMailWorker } from "./worker";
    const { DATABASE, SMTP, AHEAD } = process.env;
    const db = await connect(DATABASE);
    const config = { ...loadConfig({ BASE_URL: "https://id.example.com" }, "/dev/null"), smtpUrl: SMTP };
    const secrets = openSecrets(["a secret key of tests, thirty-two characters or more"]);
    const clock = () => Date.UTC(2030, 0, 3) + Number(AHEAD);
    startMailWorker({ db, config, secrets, clock, log: pino({ level: "silent" }) }, { lookInterval: 20, loops: 2 });`;
  const stdin = { contents, resolveDir: import.meta.dirname };
  const options = { bundle: true, platform: "node", format: "esm", packages: "external", jsx: "automatic" } as const;
  program = (await build({ stdin, ...options, write: false })).outputFiles[0]?.text ?? "";
});

function startSender(databaseUrl: string, server: TestMailServer, ahead: number) {
  const own = { DATABASE: databaseUrl, SMTP: server.url, AHEAD: String(ahead) };
  const child = spawn(process.execPath, ["--input-type=module"], {
    env: { ...process.env, ...own },
    stdio: ["pipe", "inherit", "inherit"],
  });
  child.stdin.end(program);
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

describe.each(databaseKinds)("a sender that is killed (kill -9), on %s", (kind) => {
  it.each([
    ["before the mail server answers", { step: "silent" } as const, 0],
    ["after the mail server took the mail, before it said so", { step: "hang" } as const, 1],
  ])("%s: the mail arrives, at most twice and then under one Message-ID", async (_, fault, takenBefore) => {
    const ctx = await appliedContext(kind, exampleBootstrap);
    const server = await startMailServer();
    onTestFinished(() => server.stop());
    const ada = { id: "u-ada", organizationId: "acme", email: "ada@acme.test", isEmailVerified: true };
    await record(
      { ...ctx, origin: { actor: "system" } },
      {
        type: "user.locked",
        object: { id: "u-ada", organizationId: "acme" },
        state: async () => ({ messages: [...messageTo(passwordChange, ada), ...messageTo(passwordChange, ada)] }),
      },
    );
    const url = await urlOf(ctx.db);
    server.fault = fault;
    const first = startSender(url, server, 0);
    if (takenBefore > 0) await server.received(takenBefore);
    else await expect.poll(() => server.connections).toBeGreaterThan(0);
    const gone = new Promise((resolve) => first.once("close", resolve));
    first.kill("SIGKILL");
    await gone;
    expect(await ctx.db.prisma.outboxMessage.count({ where: { state: "queued" } })).toBe(2);

    server.fault = undefined;
    startSender(url, server, LEASE_TIME + 1);
    const mails = await server.received(takenBefore + 2);
    await expect.poll(() => ctx.db.prisma.outboxMessage.count({ where: { state: "sent" } })).toBe(2);
    expect(mails).toHaveLength(takenBefore + 2);
    expect(new Set(mails.map(({ parsed }) => parsed.messageId)).size).toBe(2);
  });
});

async function urlOf(db: BareContext["db"]): Promise<string> {
  if (db.kind === "sqlite") {
    const row = await db.one<{ file: string }>(`SELECT "file" FROM pragma_database_list WHERE "name" = 'main'`, []);
    return `file:${row?.file}`;
  }
  const row = await db.one<{ name: string }>(`SELECT current_database() AS "name"`, []);
  return Object.assign(new URL(await postgresUrl()), { pathname: row?.name }).href;
}
