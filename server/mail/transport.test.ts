import { createServer } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type MailServerFault, startMailServer, type TestMailServer } from "../testing/mail-server";
import { processorTime } from "../testing/processor-time";
import { keeping, type OutgoingMail, parseMailbox, smtpTransport, type Transport } from "./transport";

const mail: OutgoingMail = {
  messageId: "<0198-1@id.example.com>",
  date: Date.UTC(2030, 0, 2, 3, 4, 5),
  sender: "Ünser Dienst <no-reply@id.example.com>",
  recipient: "ada@acme.test",
  subject: "Schönes neues Passwort 🔑",
  html: "<p>Grüße</p>",
  text: "Grüße\n.\nEnde\n",
  headers: { "Auto-Submitted": "auto-generated", "Content-Language": "de" },
};

let server: TestMailServer;
let transport: Transport;
beforeEach(async () => {
  server = await startMailServer();
  transport = smtpTransport(server.url);
});
afterEach(async () => {
  transport.close();
  await server.stop();
});

describe("sending by SMTP (RFC 5321, RFC 5322)", () => {
  it("delivers both parts and the headers, one recipient in the envelope", async () => {
    expect(await transport.send(mail)).toMatchObject({ outcome: "sent", answer: expect.stringMatching(/^250/) });
    const [{ envelope, parsed, raw }] = (await server.received(1)) as [TestMailServer["mails"][number]];
    expect(envelope).toEqual({ from: "no-reply@id.example.com", to: ["ada@acme.test"] });
    expect(parsed.messageId).toBe(mail.messageId);
    expect(parsed.date).toEqual(new Date(mail.date));
    expect(parsed.from?.value).toEqual([{ name: "Ünser Dienst", address: "no-reply@id.example.com" }]);
    expect(parsed.to).toMatchObject({ value: [{ address: "ada@acme.test", name: "" }] });
    expect(parsed.subject).toBe(mail.subject);
    expect(parsed.text?.trim()).toBe("Grüße\n.\nEnde");
    expect(parsed.html).toContain("<p>Grüße</p>");
    expect(raw).toMatch(/^Content-Type: multipart\/alternative/m);
    expect(raw).toMatch(/^Auto-Submitted: auto-generated\r$/m);
    expect(raw).not.toMatch(/^(List-|X-Mailer|Bcc)/im);
  });

  it("uses one connection for several mails", async () => {
    for (let i = 0; i < 3; i++) await transport.send(mail);
    expect(server.connections).toBe(1);
  });

  it.each([
    "ada@acme.test, eve@evil.test",
    "ada@acme.test\r\nBcc: eve@evil.test",
    '"ada@acme.test eve@evil.test"@acme.test',
    "<ada@acme.test>",
    "Ada <ada@acme.test>",
    "ada@acme.test> RCPT TO:<eve@evil.test",
    "",
  ])("refuses %j as a recipient before any connection", async (recipient) => {
    expect(await transport.send({ ...mail, recipient })).toMatchObject({ outcome: "refused", permanent: true });
    expect(server.connections).toBe(0);
  });

  it("prevents header injection by the subject", async () => {
    await transport.send({ ...mail, subject: "a\r\nBcc: eve@evil.test\r\n\r\nbody" });
    const [{ parsed, envelope }] = (await server.received(1)) as [TestMailServer["mails"][number]];
    expect(parsed.bcc).toBeUndefined();
    expect(envelope.to).toEqual(["ada@acme.test"]);
  });

  it.each([
    ["an encoded word", "Hi =?utf-8?q?=E2=80=AEliame=2Etest?= !"],
    ["half an encoded word", "Ünser =?utf-8?b? 🔑"],
    ["a word that no line has room for", `Hi ${"ab".repeat(1_000)}`],
    ["many letters of four bytes", "🔑".repeat(400)],
  ])("sends a subject with %s as the text it is (RFC 2047)", async (_, subject) => {
    await transport.send({ ...mail, subject });
    const [{ parsed, raw }] = (await server.received(1)) as [TestMailServer["mails"][number]];
    expect(parsed.subject).toBe(subject);
    const [header = ""] = raw.split("\r\n\r\n");
    for (const line of header.split("\r\n")) expect(line.length).toBeLessThanOrEqual(78);
    for (const [word] of header.matchAll(/=\?UTF-8\?[^ ]*\?=/g)) expect(word.length).toBeLessThanOrEqual(75);
  });
});

describe("a mail server that fails (RFC 5321 §4.2.1)", () => {
  it.each<[string, MailServerFault, object]>([
    ["421 at the greeting", { step: "connect", code: 421 }, { outcome: "unreachable" }],
    ["554 at the greeting", { step: "connect", code: 554 }, { outcome: "unreachable" }],
    ["451 to MAIL", { step: "mail", code: 451 }, { outcome: "unreachable" }],
    ["550 to MAIL: the sender is a setting", { step: "mail", code: 550 }, { outcome: "unreachable" }],
    ["450 to RCPT", { step: "rcpt", code: 450 }, { outcome: "refused", permanent: false }],
    ["550 to RCPT", { step: "rcpt", code: 550 }, { outcome: "refused", permanent: true }],
    ["451 to DATA", { step: "data", code: 451 }, { outcome: "refused", permanent: false }],
    ["554 to DATA", { step: "data", code: 554 }, { outcome: "refused", permanent: true }],
    ["the connection ends before 250", { step: "drop" }, { outcome: "unreachable" }],
  ])("%s", async (_, fault, delivery) => {
    server.fault = fault;
    expect(await transport.send(mail)).toMatchObject(delivery);
    server.fault = undefined;
    expect(await transport.send(mail)).toMatchObject({ outcome: "sent" });
    expect(server.mails).toHaveLength(fault.step === "drop" ? 2 : 1);
  });

  it("refuses the connection", async () => {
    await server.stop();
    expect(await transport.send(mail)).toEqual({
      outcome: "unreachable",
      answer: expect.stringContaining("ECONNREFUSED"),
    });
  });

  it("is abandoned if it does not respond", async () => {
    server.fault = { step: "silent" };
    const impatient = smtpTransport(server.url, { sendTimeout: 3_000 });
    expect(await impatient.send(mail)).toMatchObject({ outcome: "unreachable" });
    server.fault = undefined;
    expect(await impatient.send(mail)).toMatchObject({ outcome: "sent" });
    impatient.close();
  });

  it("is unreachable, without a fault of the mail, if it refuses the login", async () => {
    const guarded = await startMailServer({ user: "id", password: "right" });
    const wrong = smtpTransport(guarded.url.replace("right", "wrong"));
    const right = smtpTransport(guarded.url);
    expect(await wrong.send(mail)).toMatchObject({ outcome: "unreachable", answer: expect.stringContaining("535") });
    expect(await right.send(mail)).toMatchObject({ outcome: "sent" });
    wrong.close();
    right.close();
    await guarded.stop();
  });

  it("is quoted in one line, without the sent data", async () => {
    server.fault = { step: "rcpt", code: 550 };
    const delivery = await transport.send(mail);
    expect(delivery).toMatchObject({ answer: expect.stringMatching(/^550 .*refused at rcpt/) });
    expect(JSON.stringify(delivery)).not.toMatch(/[\r\n]|Passwort/);
  });

  it("receives no password if it does not support TLS", async () => {
    const heard: string[] = [];
    const plain = createServer((socket) => {
      socket.write("220 plain.test\r\n");
      socket.on("error", () => {});
      socket.on("data", (data) => {
        heard.push(String(data));
        socket.write(/^EHLO/.test(String(data)) ? "250-plain.test\r\n250 AUTH PLAIN LOGIN\r\n" : "502 no\r\n");
      });
    }).listen(0, "127.0.0.1");
    await new Promise((resolve) => plain.once("listening", resolve));
    const { port } = plain.address() as { port: number };
    const strict = smtpTransport(`smtp://id:secret@127.0.0.1:${port}?requireTLS=true`);
    expect(await strict.send(mail)).toMatchObject({ outcome: "unreachable" });
    expect(heard.join("")).not.toMatch(/AUTH|c2VjcmV0/);
    strict.close();
    plain.close();
  });
});

describe("without a mail server", () => {
  it("keeps mails", async () => {
    expect(await keeping.send(mail)).toEqual({ outcome: "kept" });
  });
});

describe("the sender's mailbox (RFC 5322 §3.4)", () => {
  it.each([
    ["a@b.test", "", "a@b.test"],
    ["<a@b.test>", "", "a@b.test"],
    ["ACME & Co. <a@b.test>", "ACME & Co.", "a@b.test"],
    ['"ACME, Inc." <a@b.test>', "ACME, Inc.", "a@b.test"],
    ['"Ann" Bee <a@b.test>', '"Ann" Bee', "a@b.test"],
    ['" <a@b.test>', '"', "a@b.test"],
  ])("%s", (text, name, address) => {
    expect(parseMailbox(text)).toEqual({ name, address });
  });

  it("is parsed in linear time", async () => {
    const effort = await processorTime(() => {
      parseMailbox(`${" ".repeat(100_000)}"`);
      parseMailbox(`${" ".repeat(100_000)}" b <a@b.test>`);
    });
    expect(effort).toBeLessThan(1_000_000); // µs; a pattern that backtracks over blanks would take days
  });
});
