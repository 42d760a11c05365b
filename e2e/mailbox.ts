/** A mail server for the tested service: its emails are read here as their recipients read them. */
import type { AddressInfo } from "node:net";
import { simpleParser } from "mailparser";
import { SMTPServer } from "smtp-server";

export interface Letter {
  subject: string;
  text: string;
}

export interface Mailbox {
  /** For SMTP_URL. */
  url: string;
  /** Resolves with the next unread email to this address. */
  take(recipient: string): Promise<Letter>;
  close(): Promise<void>;
}

export async function startMailbox(): Promise<Mailbox> {
  const letters = new Map<string, Letter[]>();
  const waiting = new Map<string, ((letter: Letter) => void)[]>();
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS", "AUTH"],
    onData(stream, session, done) {
      simpleParser(stream).then(({ subject = "", text = "" }) => {
        for (const { address } of session.envelope.rcptTo) {
          const reader = waiting.get(address)?.shift();
          if (reader) reader({ subject, text });
          else letters.set(address, [...(letters.get(address) ?? []), { subject, text }]);
        }
        done();
      }, done);
    },
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    async take(recipient) {
      const letter = letters.get(recipient)?.shift();
      if (letter) return letter;
      return new Promise((resolve) => waiting.set(recipient, [...(waiting.get(recipient) ?? []), resolve]));
    },
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

/** Returns the code and the link of an email about an account. */
export function codeAndLink({ text }: Letter): { code: string; link: string } {
  const code = /\b[2-9A-HJKMNP-Z]{4}-[2-9A-HJKMNP-Z]{4}\b/.exec(text)?.[0];
  const link = /https?:\/\/\S+\?token=[\w-]+/.exec(text)?.[0];
  if (!code || !link) throw new Error(`no code and link in:\n${text}`);
  return { code, link };
}
