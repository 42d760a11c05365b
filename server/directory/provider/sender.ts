/** The senders of mails. */
import type { Context } from "../../context";
import { emailChannel } from "./channel";
import { findProvider, isKind } from "./provider";
import { senderParts } from "./smtp-address";

/** Returns whether the service's own mails are sent, rather than kept. */
export async function sendsMail(ctx: Context): Promise<boolean> {
  return ctx.config.smtpUrl !== undefined || (await findProvider(ctx, emailChannel, undefined)) !== undefined;
}

/** Returns the sender of mails for which no provider sets one. */
export function serviceSender({ config: { mailFrom, baseUrl } }: Pick<Context, "config">): string {
  return mailFrom ?? `no-reply@${new URL(baseUrl).hostname}`;
}

/**
 * Returns the sender's address without a name, for people who look for a mail: the organization's, or the service's if
 * none is known, as for webhooks.
 */
export async function findSender(ctx: Context, organizationId: string | undefined): Promise<string> {
  const own = await findProvider(ctx, emailChannel, organizationId);
  const provider = own ?? (await findProvider(ctx, emailChannel, undefined));
  return senderParts(isKind(provider, "smtp") ? provider.sender : serviceSender(ctx)).senderAddress;
}
