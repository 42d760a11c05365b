/** Which mail server a mail goes by, and who it is from. */
import type { Context } from "../context";
import { keeping, smtpTransport, type Transport } from "./transport";

export interface MailRoute {
  transport: Transport;
  /** Mailbox in the From field. */
  sender: string;
}

export interface MailRoutes {
  /** Of the mails of an organization's users. */
  of(organizationId: string): Promise<MailRoute>;
  close(): void;
}

/** Opens nothing yet; connections are made with the first mail. Whoever opens the routes closes them. */
export function openMailRoutes(ctx: Context): MailRoutes {
  const { smtpUrl, mailFrom, baseUrl } = ctx.config;
  const transport = smtpUrl === undefined ? keeping : smtpTransport(smtpUrl);
  const route: MailRoute = { transport, sender: mailFrom ?? `no-reply@${new URL(baseUrl).hostname}` };
  return { of: async () => route, close: () => transport.close() };
}
