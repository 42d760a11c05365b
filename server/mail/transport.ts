/**
 * Where mails go: to a mail server (SMTP, RFC 5321), or nowhere, and then they are kept to be read on the mail page.
 * The envelope holds exactly the one validated mailbox, handed over as a value and never parsed from text: an address
 * cannot turn into two, nor into header lines.
 */
import { createTransport, type SendMailOptions } from "nodemailer";

import { email } from "../directory/fields";
import { unambiguousSubject } from "./encoded-words";
import { type Failure, judge, STEP_TIMEOUT } from "./smtp-failure";
import { smtpOptions } from "./smtp-url";

/** A letter as it goes out, and as the row keeps it. */
export interface OutgoingMail {
  /** With angle brackets; the same at every attempt, so that a mail program shows a repeated mail once. */
  messageId: string;
  /** Epoch milliseconds, when its cause happened. */
  date: number;
  sender: string;
  recipient: string;
  subject: string;
  html: string;
  text: string;
  headers: Readonly<Record<string, string>>;
}

export type Delivery = { outcome: "sent"; answer: string } | { outcome: "kept" } | Failure;

export interface Transport {
  send(mail: OutgoingMail): Promise<Delivery>;
  /** Closes the connections once what is being sent is sent. */
  close(): void;
}

/** Keeps mails unsent, for services without a mail server. */
export const keeping: Transport = { send: async () => ({ outcome: "kept" }), close: () => {} };

/** Milliseconds; a lease is longer. A server that still talks after it is not waited for. */
export const SEND_TIMEOUT = 90_000;

export interface SmtpTransportOptions {
  /** Milliseconds. */
  sendTimeout?: number;
  /** Where to connect to in place of what the host's name leads to. */
  address?: string;
}

/** @param smtpUrl `smtp://` (STARTTLS where the server has it) or `smtps://` (TLS from the start), with user and password */
export function smtpTransport(smtpUrl: string, options: SmtpTransportOptions = {}): Transport {
  const { sendTimeout = SEND_TIMEOUT, address } = options;
  const server = smtpOptions(smtpUrl);
  const connections = createTransport({
    ...server,
    // The certificate is still that of the name.
    ...(address !== undefined && { host: address, servername: server.host }),
    pool: true,
    maxConnections: 4,
    maxMessages: 100,
    // Once, for a connection that ended before a byte of the mail was sent; everything else is the queue's business.
    maxRequeues: 1,
    connectionTimeout: STEP_TIMEOUT,
    greetingTimeout: STEP_TIMEOUT,
    dnsTimeout: STEP_TIMEOUT,
    socketTimeout: 2 * STEP_TIMEOUT,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    async send(mail) {
      if (!email.safeParse(mail.recipient).success) {
        return { outcome: "refused", permanent: true, answer: "the recipient is not one e-mail address" };
      }
      try {
        const { response } = await connections.sendMail({
          ...toNodemailer(mail),
          signal: AbortSignal.timeout(sendTimeout),
        });
        return { outcome: "sent", answer: response };
      } catch (error) {
        return judge(error);
      }
    },
    close: () => connections.close(),
  };
}

/** RFC 3834, RFC 5322 §3.6; no List- headers: nobody subscribed and nobody can leave. */
function toNodemailer(mail: OutgoingMail): SendMailOptions {
  const sender = parseMailbox(mail.sender);
  const recipient = { name: "", address: mail.recipient };
  return {
    from: sender,
    to: recipient,
    envelope: { from: sender.address, to: [mail.recipient] },
    messageId: mail.messageId,
    date: new Date(mail.date),
    subject: unambiguousSubject(mail.subject),
    text: mail.text,
    html: mail.html,
    headers: { ...mail.headers },
    xMailer: false,
  };
}

/** `user@host` or `Name <user@host>`, as MAIL_FROM was checked to be. */
function parseMailbox(text: string): { name: string; address: string } {
  const parts = /^\s*"?([^<>"]*?)"?\s*<([^<>\s]+)>\s*$/.exec(text);
  return { name: parts?.[1] ?? "", address: parts?.[2] ?? text };
}
