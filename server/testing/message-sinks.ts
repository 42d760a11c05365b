/** The destinations of messages: a mail server, webhooks, and a server with the API of Twilio. */
import type { MessageField } from "../texts/message-text";
import { startMailServer, type TestMailServer } from "./mail-server";
import { type PhoneGateway, startPhoneGateway } from "./phone-gateway";

/** Calls the API, expects success and returns the response. */
// biome-ignore lint/suspicious/noExplicitAny: whatever the service answers
export type AdministratorsCall = (method: string, path: string, body?: unknown) => Promise<any>;

/** A message as it was received. */
export interface ReceivedMessage {
  recipient: string;
  /** The type that the sink reports; mail servers report none. */
  type?: string;
  /** Its parts, if the sink separates them. */
  parts?: Readonly<Partial<Record<MessageField | "url", string>>>;
  args?: Readonly<Record<string, string>>;
  subject?: string;
  text: string;
  html?: string;
  language?: string;
}

/** A delivery method of messages, seen from its end. */
export interface Sink {
  /** Sets it up as an administrator does. */
  activate(done: AdministratorsCall): Promise<unknown>;
  arrivals(): ReceivedMessage[];
  stop(): Promise<void>;
}

export async function smtpSink(): Promise<Sink> {
  const server: TestMailServer = await startMailServer();
  return {
    async activate(done) {
      const settings = { senderAddress: "mail@acme.test", host: new URL(server.url).host };
      await done("POST", `/admin/v1/email/${(await done("POST", "/admin/v1/email/smtp", settings)).id}/_activate`);
    },
    arrivals: () =>
      server.mails.map(({ envelope, parsed }) => ({
        recipient: envelope.to.join(" "),
        subject: parsed.subject ?? "",
        text: parsed.text ?? "",
        html: parsed.html || "",
        language: String(parsed.headers.get("content-language")),
      })),
    stop: () => server.stop(),
  };
}

export async function webhookSink(channel: "email" | "sms"): Promise<Sink> {
  const hook: PhoneGateway = await startPhoneGateway();
  hook.answer = (_, response) => response.writeHead(204).end();
  return {
    async activate(done) {
      const { id } = await done("POST", `/admin/v1/${channel}/http`, { endpoint: `${hook.url}/hook` });
      await done("POST", `/admin/v1/${channel}/${id}/_activate`);
    },
    arrivals: () =>
      hook.requests.map(({ body }) => {
        const { contextInfo, templateData, args } = JSON.parse(body);
        const { eventType: type, recipientEmailAddress, recipientPhoneNumber } = contextInfo;
        const parts = channel === "email" ? { parts: templateData, subject: templateData.subject } : {};
        return {
          type,
          recipient: recipientEmailAddress ?? recipientPhoneNumber,
          text: templateData.text,
          args,
          ...parts,
        };
      }),
    stop: () => hook.stop(),
  };
}

export async function twilioSink(): Promise<Sink> {
  const gateway: PhoneGateway = await startPhoneGateway();
  return {
    async activate(done) {
      const settings = {
        sid: "AC0123456789abcdef",
        token: "s3cret",
        senderNumber: "+15550001111",
        baseUrl: gateway.url,
      };
      await done("POST", `/admin/v1/sms/${(await done("POST", "/admin/v1/sms/twilio", settings)).id}/_activate`);
    },
    arrivals: () => gateway.texts().map(({ to: recipient, text }) => ({ recipient, text })),
    stop: () => gateway.stop(),
  };
}
