import { afterEach, describe, expect, it, onTestFinished } from "vitest";
import type { Context } from "../context";
import { hashPassword } from "../crypto/password-hash";
import { changePassword } from "../directory/user/password";
import { type Message, record } from "../events/record";
import { passwordReset } from "../message-types/passwordreset";
import { emailVerification } from "../message-types/verifyemail";
import { connect } from "../storage/engine/connect";
import { leaseOutboxMessage } from "../storage/message/outbox";
import { appliedContext } from "../testing/bare-context";
import { databaseKinds, postgresUrl } from "../testing/database";
import { exampleBootstrap } from "../testing/example";
import { startMailServer, type TestMailServer } from "../testing/mail-server";
import { deliverNext, LEASE_TIME } from "./deliver";
import { findMessage, retryMessage } from "./mailbox";
import { openRendered } from "./rendered-message";
import { GIVE_UP_AFTER, LEAST_ATTEMPTS } from "./retry";
import { openMailRoutes } from "./routes";
import { startMailWorker } from "./worker";

const ada = { id: "u-ada", organizationId: "acme", email: "ada@acme.test", isEmailVerified: true };
const bob = { id: "u-bob", organizationId: "acme", email: "bob@acme.test", isEmailVerified: false };
const CHANGE = { type: "user.locked", object: { id: "u-ada", organizationId: "acme" } } as const;

let server: TestMailServer | undefined;
afterEach(async () => {
  await server?.stop();
  server = undefined;
});

/** Starts a service with the example's users, and a mail server if `send`. */
async function service(kind: "sqlite" | "postgresql", { bootstrap = exampleBootstrap as object, send = true } = {}) {
  const bare = await appliedContext(kind, bootstrap);
  server = send ? await startMailServer() : undefined;
  const ctx: Context = { ...bare, config: { ...bare.config, smtpUrl: server?.url } };
  const routes = openMailRoutes(ctx);
  onTestFinished(() => routes.close());
  return { ctx, advance: bare.advance, deliver: () => deliverNext(ctx, routes) };
}

async function sendingService(kind: "sqlite" | "postgresql", bootstrap?: object) {
  const made = await service(kind, { bootstrap });
  return { ...made, server: server as TestMailServer };
}

async function queue(ctx: Context, ...messages: Message[]): Promise<void> {
  await record({ ...ctx, origin: { actor: "system" } }, { ...CHANGE, state: async () => ({ messages }) });
}

const rows = (ctx: Context) => ctx.db.prisma.outboxMessage.findMany({ orderBy: [{ createdAt: "asc" }, { id: "asc" }] });
const states = async (ctx: Context) => (await rows(ctx)).map(({ state }) => state);
const code = (ctx: Context, path = "/login/reset-password?user=u-ada&code=K7M4PX2Q") => ({
  code: "K7M4PX2Q",
  path,
  expiresAt: ctx.clock() + 3_600_000,
});

describe.each(databaseKinds)("sending what is queued, on %s", (kind) => {
  it("notifies of a changed password at once, at the verified address", async () => {
    const { ctx, server } = await sendingService(kind);
    const worker = startMailWorker(ctx, { lookInterval: 60_000 });
    onTestFinished(() => worker.stop());
    const newHash = await hashPassword("another long passphrase");
    await changePassword({ ...ctx, origin: { actor: "u-ada" } }, { userId: "u-ada", newHash });
    await changePassword({ ...ctx, origin: { actor: "u-ada" } }, { userId: "u-bob", newHash }); // bob's address is not verified
    const [mail] = await server.received(1);
    expect(mail?.envelope).toEqual({ from: "no-reply@id.example.com", to: ["ada@acme.test"] });
    expect(mail?.parsed.subject).toBe("Your password was changed");
    expect(mail?.parsed.text).toContain("Hello Ada Lovelace,");
    expect(mail?.parsed.html).toContain('href="https://id.example.com/account/security"');
    await worker.stop();
    const [row] = await rows(ctx);
    expect(row).toMatchObject({ state: "sent", subject: "Your password was changed", attempts: 1, leaseId: null });
    expect(JSON.stringify(openRendered(ctx, row?.letter ?? ""))).not.toContain("not-me?token");
    expect(row?.lastAnswer).toMatch(/^250/);
    expect(mail?.parsed.messageId).toBe(`<${row?.id}@id.example.com>`);
    expect(openRendered(ctx, row?.letter ?? "")).toMatchObject({ recipient: "ada@acme.test", subject: row?.subject });
  });

  it("keeps codes out of the database, and out of the mail page once the mail is sent", async () => {
    const { ctx, server, deliver } = await sendingService(kind);
    await queue(ctx, ...passwordReset(ctx, ada, code(ctx)));
    expect(JSON.stringify(await rows(ctx))).not.toContain("K7M4PX2Q");
    server.fault = { step: "data", code: 451 };
    expect(await deliver()).toBe("postponed");
    expect(JSON.stringify(await rows(ctx))).not.toContain("K7M4PX2Q");
    server.fault = undefined;
    await ctx.db.prisma.outboxMessage.updateMany({ data: { nextAttemptAt: new Date(0) } });
    expect(await deliver()).toBe("sent");
    expect(server.mails[0]?.parsed.text).toContain(
      "https://id.example.com/login/reset-password?user=u-ada&code=K7M4PX2Q",
    );
    expect(server.mails[0]?.parsed.text).toContain("with this code: K7M4PX2Q");
    const [row] = await rows(ctx);
    const kept = JSON.stringify(openRendered(ctx, row?.letter ?? ""));
    expect(kept).toContain("••••••");
    expect(kept).toContain("https://id.example.com/login/reset-password");
    expect(kept).not.toContain("K7M4PX2Q");
  });

  it("retries a temporarily refused mail with the same Message-ID until it is accepted", async () => {
    const { ctx, server, deliver, advance } = await sendingService(kind);
    await queue(ctx, ...emailVerification(ctx, ada, code(ctx)));
    server.fault = { step: "drop" };
    expect(await deliver()).toBe("unreachable");
    expect(await deliver()).toBe("idle"); // not yet
    const [{ id } = { id: "" }] = await rows(ctx);
    expect(server.mails[0]?.parsed.messageId).toBe(`<${id}@id.example.com>`);
    await ctx.db.prisma.user.updateMany({ data: { displayName: "Somebody else", firstName: "Else" } });
    server.fault = { step: "rcpt", code: 451 };
    advance(5_001);
    expect(await deliver()).toBe("postponed");
    server.fault = undefined;
    advance(15_001);
    expect(await deliver()).toBe("sent");
    expect(await deliver()).toBe("idle");
    expect((await rows(ctx))[0]?.answers).toMatch(/^\[\{.*\},\{.*"451 .*\},\{.*"250 /);
    expect(server.mails).toHaveLength(2); // accepted before the connection broke, then sent again: shown once
    const [first, second] = server.mails;
    expect(first?.parsed.messageId).toBe(second?.parsed.messageId);
    expect(first?.raw.replace(/boundary="[^"]*"|^--.*$/gm, "")).toBe(
      second?.raw.replace(/boundary="[^"]*"|^--.*$/gm, ""),
    );
  });

  it("gives up a permanently refused mail visibly, without a retry", async () => {
    const { ctx, server, deliver, advance } = await sendingService(kind);
    await queue(ctx, ...emailVerification(ctx, bob, code(ctx)));
    server.fault = { step: "rcpt", code: 550 };
    expect(await deliver()).toBe("failed");
    advance(GIVE_UP_AFTER);
    expect(await deliver()).toBe("idle");
    expect(await rows(ctx)).toMatchObject([
      { state: "failed", lastAnswer: expect.stringMatching(/^550/), attempts: 1 },
    ]);
  });

  it("leaves messages of a newer release to processes of that release", async () => {
    const { ctx, deliver, advance } = await sendingService(kind);
    await queue(ctx, { type: "password_change", organizationId: "acme", userId: "u-ada", recipient: "ada@acme.test" });
    const rename = (type: string) => ctx.db.prisma.outboxMessage.updateMany({ data: { type } });
    await rename("of_a_newer_release");
    expect(await deliver()).toBe("postponed");
    await rename("password_change");
    advance(10_000);
    expect(await deliver()).toBe("sent");
  });

  it("gives up after 24 hours", async () => {
    const { ctx, server, deliver, advance } = await sendingService(kind);
    await queue(ctx, { type: "password_change", organizationId: "acme", userId: "u-ada", recipient: "ada@acme.test" });
    server.fault = { step: "rcpt", code: 451 };
    for (let attempt = 1; attempt < LEAST_ATTEMPTS; attempt++) {
      expect(await deliver()).toBe("postponed");
      advance(GIVE_UP_AFTER / LEAST_ATTEMPTS);
    }
    expect(await deliver()).toBe("postponed");
    advance(GIVE_UP_AFTER / LEAST_ATTEMPTS);
    expect(await deliver()).toBe("failed");
    expect(await rows(ctx)).toMatchObject([{ state: "failed", lastAnswer: expect.stringMatching(/24 hours.*451/) }]);
  });

  it("retries an old message sufficiently, after an outage and after a manual retry", async () => {
    const { ctx, server, deliver, advance } = await sendingService(kind);
    await queue(ctx, { type: "password_change", organizationId: "acme", userId: "u-ada", recipient: "ada@acme.test" });
    advance(2 * GIVE_UP_AFTER);
    server.fault = { step: "rcpt", code: 450 };
    const outcomes = async () => {
      const found = [];
      for (let attempt = 0; attempt < LEAST_ATTEMPTS; attempt++, advance(600_000)) found.push(await deliver());
      return found;
    };
    const chances = [...Array(LEAST_ATTEMPTS - 1).fill("postponed"), "failed"];
    expect(await outcomes()).toEqual(chances);
    const [row] = await rows(ctx);
    expect(await retryMessage(ctx, row?.id ?? "")).toBe(true);
    expect(await outcomes()).toEqual(chances);
    expect(await retryMessage(ctx, row?.id ?? "")).toBe(true);
    expect(await deliver()).toBe("postponed");
    server.fault = undefined;
    advance(600_000);
    expect(await deliver()).toBe("sent");
    expect((await findMessage(ctx, row?.id ?? ""))?.deliveryAttempts).toHaveLength(2 * LEAST_ATTEMPTS + 2);
  });

  it("does not send an expired code", async () => {
    const { ctx, server, deliver, advance } = await sendingService(kind);
    await queue(ctx, ...passwordReset(ctx, ada, code(ctx)));
    advance(3_600_000);
    expect(await deliver()).toBe("expired");
    expect(server.mails).toEqual([]);
    expect(await states(ctx)).toEqual(["expired"]);
  });

  it("keeps the order of one recipient's messages; others do not wait", async () => {
    const { ctx, server, deliver, advance } = await sendingService(kind);
    const { expiresAt: _, ...first } = emailVerification(ctx, ada, code(ctx, "/login/first"))[0] as Message;
    await queue(ctx, first);
    server.fault = { step: "rcpt", code: 451 };
    expect(await deliver()).toBe("postponed");
    server.fault = undefined;
    await queue(ctx, ...emailVerification(ctx, ada, code(ctx, "/login/second")));
    await queue(ctx, ...emailVerification(ctx, bob, code(ctx, "/login/bob")));
    expect(await deliver()).toBe("sent");
    expect(await deliver()).toBe("idle");
    advance(5_001);
    expect(await deliver()).toBe("sent");
    expect(await deliver()).toBe("sent");
    const links = server.mails.map(({ parsed }) => /\/login\/(\w+)/.exec(parsed.text ?? "")?.[1]);
    expect(links).toEqual(["bob", "first", "second"]);
  });

  it("does not delay a correct address after a mistyped one", async () => {
    const { ctx, server, deliver } = await sendingService(kind);
    await queue(ctx, ...emailVerification(ctx, { ...ada, email: "ada@amce.test" }, code(ctx, "/login/wrong")));
    server.fault = { step: "rcpt", code: 450 };
    expect(await deliver()).toBe("postponed");
    server.fault = undefined;
    await queue(ctx, ...emailVerification(ctx, ada, code(ctx, "/login/right")));
    expect(await deliver()).toBe("sent");
    expect(server.mails.map(({ envelope }) => envelope.to)).toEqual([["ada@acme.test"]]);
  });

  it("leases the row of a process that ended, after its lease", async () => {
    const { ctx, server, deliver, advance } = await sendingService(kind);
    await queue(ctx, ...emailVerification(ctx, ada, code(ctx)));
    const now = ctx.clock();
    expect(await leaseOutboxMessage(ctx.db, { leaseId: "dead", now, until: now + LEASE_TIME })).toBeDefined();
    expect(await deliver()).toBe("idle");
    advance(LEASE_TIME + 1);
    expect(await deliver()).toBe("sent");
    expect(server.mails).toHaveLength(1);
    expect(await rows(ctx)).toMatchObject([{ state: "sent", attempts: 2 }]);
  });

  it("keeps mails with their codes if no mail server is configured", async () => {
    const { ctx, deliver } = await service(kind, { send: false });
    await queue(ctx, ...passwordReset(ctx, ada, code(ctx)));
    expect(await deliver()).toBe("kept");
    const [row] = await rows(ctx);
    expect(row?.state).toBe("kept");
    expect(openRendered(ctx, row?.letter ?? "")?.text).toContain("K7M4PX2Q");
  });

  it("fails visibly if the user was deleted", async () => {
    const { ctx, deliver } = await sendingService(kind);
    await queue(ctx, ...emailVerification(ctx, { ...ada, id: "u-gone" }, code(ctx)));
    expect(await deliver()).toBe("failed");
    expect(await rows(ctx)).toMatchObject([{ lastAnswer: "no such user" }]);
  });

  it("sends everything once when the server comes back, while several loops run", async () => {
    const { ctx, server: first, advance } = await sendingService(kind);
    const { port } = new URL(first.url);
    await first.stop();
    const worker = startMailWorker(ctx, { lookInterval: 20 });
    onTestFinished(() => worker.stop());
    const users = Array.from({ length: 20 }, (_, index) => ({ ...bob, email: `bob${index}@acme.test` }));
    for (const user of users) await queue(ctx, ...emailVerification(ctx, user, code(ctx)));
    await expect.poll(async () => (await rows(ctx)).some(({ attempts }) => attempts > 0)).toBe(true);
    server = await startMailServer({ port: Number(port) });
    // Not while a mail is being sent, as its lease would expire.
    const leased = () => ctx.db.prisma.outboxMessage.count({ where: { state: "queued", leaseUntil: { not: null } } });
    const nudge = setInterval(async () => void ((await leased()) === 0 && advance(10_000)), 100);
    const mails = await server.received(20);
    clearInterval(nudge);
    await worker.stop();
    expect(new Set(mails.map(({ envelope }) => envelope.to[0])).size).toBe(20);
    expect(mails).toHaveLength(20);
    expect(new Set(await states(ctx))).toEqual(new Set(["sent"]));
  });
});

describe("two processes on one database", () => {
  it("never send the same row at once", async () => {
    const people = Array.from({ length: 20 }, (_, n) => ({ id: `u-${n}`, userName: `n${n}@many.test` }));
    const many = { organizations: [...exampleBootstrap.organizations, { id: "many", name: "Many", users: people }] };
    const { ctx, server } = await sendingService("postgresql", many);
    const name = await ctx.db.one<{ name: string }>(`SELECT current_database() AS "name"`, []);
    const second = await connect(Object.assign(new URL(await postgresUrl()), { pathname: name?.name }).href);
    const messages = people.flatMap(({ id }) =>
      [1, 2, 3].map((n) => ({
        type: "password_change",
        organizationId: "many",
        userId: id,
        recipient: `${id}-${n}@many.test`,
      })),
    );
    await queue(ctx, ...messages);
    const workers = [ctx, { ...ctx, db: second }].map((each) => startMailWorker(each, { lookInterval: 10 }));
    onTestFinished(() => second.close());
    const mails = await server.received(60);
    await Promise.all(workers.map((worker) => worker.stop()));
    expect(mails).toHaveLength(60);
    expect(new Set(mails.map(({ envelope }) => envelope.to[0])).size).toBe(60);
    expect((await rows(ctx)).every(({ attempts, state }) => attempts === 1 && state === "sent")).toBe(true);
  });
});
