/** A real mail server on the loopback interface, which keeps the received emails and fails on demand. */
import { type ParsedMail, simpleParser } from "mailparser";
import { SMTPServer, type SMTPServerSession } from "smtp-server";
import { freePort } from "../../scripts/free-port.mjs";

export interface ReceivedMail {
  envelope: { from: string; to: string[] };
  parsed: ParsedMail;
  raw: string;
}

/**
 * The step that fails, and the response to it. `silent`: there is never a response. `drop`: the email is accepted, and
 * the connection ends before the response; `hang`: the email is accepted, and the response never comes.
 */
export type MailServerFault =
  | { step: "connect" | "auth" | "mail" | "rcpt" | "data"; code: number }
  | { step: "drop" }
  | { step: "silent" }
  | { step: "hang" };

export interface TestMailServer {
  url: string;
  mails: ReceivedMail[];
  /** The number of opened connections. */
  connections: number;
  fault: MailServerFault | undefined;
  /** Resolves when `count` emails have arrived. */
  received(count: number): Promise<ReceivedMail[]>;
  stop(): Promise<void>;
}

export interface MailServerOptions {
  port?: number;
  /** Requires this login. */
  user?: string;
  password?: string;
  /** Accepts this instead of a password (XOAUTH2). */
  accessToken?: string;
}

export async function startMailServer(options: MailServerOptions = {}): Promise<TestMailServer> {
  const { user, password, accessToken } = options;
  const port = options.port ?? (await freePort()); // not reused by another server after the stop, which would receive emails for this one
  const fail = (step: string) => {
    const { fault } = state;
    if (fault?.step !== step || !("code" in fault)) return undefined;
    return Object.assign(new Error(`refused at ${step}`), { responseCode: fault.code });
  };
  const waiting = new Set<() => void>();
  const server = new SMTPServer({
    authOptional: user === undefined,
    authMethods: accessToken === undefined ? ["PLAIN", "LOGIN"] : ["XOAUTH2"],
    allowInsecureAuth: true,
    disabledCommands: ["STARTTLS"],
    disableReverseLookup: true,
    closeTimeout: 100,
    onConnect(_session, done) {
      state.connections++;
      if (state.fault?.step !== "silent") done(fail("connect"));
    },
    onAuth(auth, _session, done) {
      const isRight =
        auth.username === user &&
        (accessToken === undefined ? auth.password === password : auth.accessToken === accessToken);
      const error = fail("auth") ?? (isRight ? undefined : Object.assign(new Error("wrong"), { responseCode: 535 }));
      if (error) done(error);
      else done(null, { user: auth.username });
    },
    onMailFrom: (_address, _session, done) => done(fail("mail")),
    onRcptTo: (_address, _session, done) => done(fail("rcpt")),
    async onData(stream, session, done) {
      const chunks: Buffer[] = [];
      for await (const chunk of stream) chunks.push(chunk as Buffer);
      const error = fail("data");
      if (error) return done(error);
      await keep(Buffer.concat(chunks), session);
      if (state.fault?.step === "drop") return disconnectAll();
      if (state.fault?.step !== "hang") done(null);
    },
  });
  server.on("error", () => {}); // connections that clients break

  const keep = async (raw: Buffer, { envelope }: SMTPServerSession) => {
    const from = envelope.mailFrom === false ? "" : envelope.mailFrom.address;
    const to = envelope.rcptTo.map(({ address }) => address);
    state.mails.push({ envelope: { from, to }, parsed: await simpleParser(raw), raw: raw.toString("latin1") });
    for (const look of waiting) look();
  };
  const disconnectAll = () => {
    const open = (server as unknown as { connections: Set<{ _socket: { destroy(): void } }> }).connections;
    for (const connection of open) connection._socket.destroy();
  };

  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  const login = user === undefined ? "" : `${encodeURIComponent(user)}:${encodeURIComponent(password ?? "")}@`;
  const state: TestMailServer = {
    url: `smtp://${login}127.0.0.1:${port}`,
    mails: [],
    connections: 0,
    fault: undefined,
    received: (count) =>
      new Promise((resolve) => {
        const look = () => {
          if (state.mails.length < count) return;
          waiting.delete(look);
          resolve(state.mails);
        };
        waiting.add(look);
        look();
      }),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        disconnectAll();
      }),
  };
  return state;
}
