/**
 * Sends mails by a mail server (SMTP, RFC 5321); without one they are kept for the mail page. The recipient is one
 * validated mailbox, passed as a value and never parsed from text, so that an address cannot become two, or header
 * lines.
 */
import { createTransport, type SendMailOptions } from "nodemailer";
import { email } from "../directory/fields";
import type { SigningDomain } from "../directory/provider/address";
import type { OutboxChannel } from "../storage/message/outbox";
import { smtpOptions } from "./smtp-url";
import { unambiguousSubject } from "./subject-encoding";

/** A mail as it is sent and stored. */
export interface OutgoingMail {
  /** With angle brackets; the same at every attempt, so that mail programs show a duplicate once. */
  messageId: string;
  /** When the message was created, in epoch milliseconds. */
  date: number;
  sender: string;
  recipient: string;
  subject: string;
  html: string;
  text: string;
  headers: Readonly<Record<string, string>>;
  /** The parts sent to a webhook; undefined for a mail server. */
  parts?: MailParts;
}

export interface MailParts {
  /** The type of the message. */
  eventType: string;
  /** The filled-in fields of the text, and the URL of the button. */
  templateData: Readonly<Record<string, string>>;
  /** The values inserted in the text, by name in lower camel case. */
  args: Readonly<Record<string, string>>;
}

export type Delivery = { outcome: "sent"; answer: string } | { outcome: "kept" } | Failure;

/** An attempt that came to a server or provider, or to the decision to keep the message. */
export interface Attempted {
  delivery: Delivery;
  /** Whether the message uses no server or provider of the organization; failures of ours affect all mails. */
  isOurs: boolean;
  /** How it was sent. */
  sentBy: OutboxChannel;
}

export interface Transport {
  send(mail: OutgoingMail): Promise<Delivery>;
  /** Closes the connections after the mails in progress. */
  close(): void;
}

/** Sends nothing; for services without a mail server. */
export const keeping: Transport = { send: async () => ({ outcome: "kept" }), close: () => {} };

/** Time limit of one delivery, in milliseconds. It is shorter than a lease; a slower server is abandoned. */
export const SEND_TIMEOUT = 90_000;

/** A source of access tokens (SASL XOAUTH2), used instead of a password. */
export interface AccessTokenSource {
  /** Returns the current token, or a new one; or the reason why none is available. */
  next(): Promise<{ token: string } | { error: string }>;
  /** Discards the current token after the mail server rejected it, for instance because it was revoked. */
  forget(): void;
}

export interface SmtpTransportOptions {
  /** Time limit in milliseconds. */
  sendTimeout?: number;
  /** The IP address to connect to; by default the host name is looked up. */
  address?: string;
  tokens?: AccessTokenSource;
  /** Signs the mails. */
  dkim?: SigningDomain;
}

/**
 * Opens a transport.
 * @param smtpUrl `smtp://` (STARTTLS if the server supports it) or `smtps://` (TLS from the start), with user and
 * password
 */
export function smtpTransport(smtpUrl: string, options: SmtpTransportOptions = {}): Transport {
  const { sendTimeout = SEND_TIMEOUT, address, tokens, dkim } = options;
  const { auth, ...server } = smtpOptions(smtpUrl);
  const connections = createTransport({
    ...server,
    auth: tokens && auth ? { type: "OAuth2", user: auth.user, provisionCallback: provision(tokens) } : auth,
    ...(dkim && { dkim: { domainName: dkim.domain, keySelector: dkim.selector, privateKey: dkim.privateKey } }),
    // The certificate must still be valid for the host name.
    ...(address !== undefined && { host: address, servername: server.host }),
    pool: true,
    maxConnections: 4,
    maxMessages: 100,
    // One retry, if a connection ended before the mail was sent; our queue makes other retries.
    maxRequeues: 1,
    connectionTimeout: STEP_TIMEOUT,
    greetingTimeout: STEP_TIMEOUT,
    dnsTimeout: STEP_TIMEOUT,
    // RFC 5321 §4.5.3.2.6: a client that gives up while the server accepts a mail causes a duplicate.
    socketTimeout: sendTimeout,
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
        if ((error as { code?: string }).code === "EAUTH") tokens?.forget();
        return judge(error);
      }
    },
    close: () => connections.close(),
  };
}

type Provision = (user: string, renew: boolean, done: (error: Error | null, token?: string) => void) => void;

/**
 * Adapts the token source to nodemailer, which requests a token at each new connection, and once more after a
 * rejection.
 */
const provision =
  (tokens: AccessTokenSource): Provision =>
  (_user, renew, done) => {
    if (renew) tokens.forget();
    void tokens.next().then((got) => ("token" in got ? done(null, got.token) : done(new Error(got.error))));
  };

/** Sets headers by RFC 3834 and RFC 5322 §3.6. No List- headers, as there is no list to unsubscribe from. */
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

/**
 * Parses `user@host` or `Name <user@host>`, which was validated when it was set. Runs in linear time for long names.
 */
export function parseMailbox(text: string): { name: string; address: string } {
  const opening = text.indexOf("<");
  if (opening === -1) return { name: "", address: text };
  const name = text.slice(0, opening).trim();
  const isQuoted = name.length > 1 && name.startsWith('"') && name.endsWith('"');
  return {
    name: isQuoted ? name.slice(1, -1) : name,
    address: text.slice(opening + 1, text.lastIndexOf(">")),
  };
}

/** The time limit of each step of a connection, milliseconds. */
export const STEP_TIMEOUT = 10_000;

export type Failure =
  | { outcome: "refused"; permanent: boolean; answer: string }
  /** The server is unusable for all mails. */
  | { outcome: "unreachable"; answer: string };

interface SmtpError {
  message?: string;
  code?: string;
  responseCode?: number;
  response?: string;
  command?: string;
}

const ABOUT_THE_MAIL = /^(RCPT TO|DATA|BDAT)$/;

/**
 * Classifies an error of the mail server: the mail failed permanently, it must be retried, or the server is unusable
 * for all mails. RFC 5321 §4.2.1: 4yz may succeed later, 5yz will not. Choice: a mail only fails permanently if the
 * server rejects its recipient or its content. A rejected login or sender is a configuration error; once it is
 * corrected, the mail is still sent.
 */
export function judge(error: unknown): Failure {
  const { message = "unknown error", code, responseCode, response, command = "" } = error as SmtpError;
  // Servers give reasons in several lines and may repeat what they received; they are joined into one line and
  // truncated.
  const answer = (response ?? `${message}${code && !message.includes(code) ? ` (${code})` : ""}`)
    .replace(/\s+/g, " ")
    .slice(0, 500);
  if (responseCode !== undefined && ABOUT_THE_MAIL.test(command)) {
    return { outcome: "refused", permanent: responseCode >= 500, answer };
  }
  return { outcome: "unreachable", answer };
}
