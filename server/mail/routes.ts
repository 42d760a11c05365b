/**
 * Chooses the mail server or webhook and the sender of a mail: the organization's own if it has one, else the service's
 * (the active provider, else SMTP_URL). A message that opens an account only uses an organization's server if the
 * author of its settings may open the account, as the server's owner can read every code (attack: keeping the codes of
 * a user who later became an administrator). An organization's mail server must have a public address, and connections
 * use exactly the address that was checked, so that a changed host name cannot redirect them into our network (attack:
 * server-side request forgery, DNS rebinding).
 */
import type { Context } from "../context";
import { type AccountHolder, mayOpenAccount } from "../directory/member/privileges";
import type { ServerKeys, SmtpAddress } from "../directory/provider/address";
import { emailChannel } from "../directory/provider/channel";
import { findProvider, isKind, type Provider } from "../directory/provider/provider";
import { serviceSender } from "../directory/provider/sender";
import { isTrialServer } from "../directory/provider/smtp-address";
import type { MessagePayload } from "../message-types/message";
import { isMessageType, type MessageType } from "../message-types/table";
import { systemResolver } from "../net/name-resolver";
import { isPublicAddress } from "../protocol/public-address";
import { isForPhone } from "../texts/message-text";
import { opensAccount, takesPower } from "../texts/variables";
import { accessTokens } from "./access-tokens";
import { webhookTransport } from "./mail-webhook";
import { keeping, smtpTransport, type Transport } from "./transport";
import type { Reach } from "./webhook";

export interface MailRoute {
  transport: Transport;
  /** The mailbox in the From field; empty for a webhook, which has its own. */
  sender: string;
  /** Whether the route receives the parts of the text, not a rendered mail. */
  takesParts: boolean;
  /** The mailbox in the Reply-To field; undefined: none. */
  replyTo?: string;
  /** Whether it is the organization's own mail server, whose failures do not affect other mails. */
  isOrganizations: boolean;
}

/** The properties of a message that determine its route. */
export interface RoutedMessage {
  type: string;
  organizationId: string;
  /** Null: the recipient has no account yet. */
  userId: string | null;
  /** Email address or phone number. */
  recipient: string;
  payload: Pick<MessagePayload, "isTest" | "toPhone" | "disown">;
}

/**
 * Returns the user whose account the message opens; undefined for messages that open none and for trials, which have a
 * sample code.
 */
export function holderOf(message: RoutedMessage): AccountHolder | undefined {
  const { type, payload } = message;
  return isMessageType(type) && opensAccount(type) && !payload.isTest ? readerOf(type, message) : undefined;
}

/**
 * Returns the user over whom the text of the message takes power: an organization's is used for them only if permitted
 * (texts/usable.ts). Undefined for other messages and for trials.
 */
export function protectedReaderOf(message: RoutedMessage): AccountHolder | undefined {
  const { type, payload } = message;
  return isMessageType(type) && takesPower(type) && !payload.isTest ? readerOf(type, message) : undefined;
}

/**
 * Returns the owner of an account that the message allows to secure: anyone who intercepts it could lock the owner out.
 */
function ownerOf(message: RoutedMessage): AccountHolder | undefined {
  const { type, payload } = message;
  const isNotice = isMessageType(type) && payload.disown !== undefined && !payload.isTest;
  return holderOf(message) ?? (isNotice ? readerOf(type, message) : undefined);
}

const readerOf = (type: MessageType, { userId, recipient, payload }: RoutedMessage): AccountHolder => ({
  userId: userId ?? undefined,
  email: isForPhone(type, payload) ? null : recipient,
});

export interface MailRoutes {
  /** Evaluated again at each attempt, as roles, domains and settings change. */
  of(message: RoutedMessage): Promise<MailRoute>;
  options: MailRoutesOptions;
  close(): void;
}

/** The maximum number of open organizations' mail servers; above it, the one opened first is closed. */
const MAX_OPEN = 50;

export type MailRoutesOptions = Reach;

/** Opens the routes; connections are opened with the first mail. The caller must close the routes. */
export function openMailRoutes(ctx: Context, options: MailRoutesOptions = {}): MailRoutes {
  const { smtpUrl } = ctx.config;
  const transport = smtpUrl === undefined ? keeping : smtpTransport(smtpUrl);
  const fallback: MailRoute = { transport, sender: serviceSender(ctx), takesParts: false, isOrganizations: false };
  const open = new Map<string, Transport>();

  /** One transport per server, keys and address, so that a new one is opened if the host name has a new address. */
  const transportTo = async ({ smtpUrl: url, keys }: SmtpAddress): Promise<Transport> => {
    const address = await publicAddressOf(ctx, url, options);
    if (address === undefined) return unreachable;
    const key = `${address} ${url} ${JSON.stringify(keys)}`;
    let known = open.get(key);
    if (!known) {
      if (open.size >= MAX_OPEN) closeFirst();
      known = smtpTransport(url, { address, ...spokenToWith(ctx, keys, options) });
      open.set(key, known);
    }
    return known;
  };

  const closeFirst = () => {
    const [first] = open;
    if (!first) return;
    open.delete(first[0]);
    first[1].close();
  };

  const routeBy = async (provider: Provider, isOrganizations: boolean): Promise<MailRoute> => {
    if (isKind(provider, "http")) {
      return { transport: webhookTransport(ctx, provider, options), sender: "", takesParts: true, isOrganizations };
    }
    if (!isKind(provider, "smtp")) return fallback;
    const { sender, replyTo, address } = provider;
    const common = { sender, replyTo: replyTo ?? undefined, isOrganizations };
    return { ...common, transport: await transportTo(address), takesParts: false };
  };

  const ofService = async (): Promise<MailRoute> => {
    const provider = await findProvider(ctx, emailChannel, undefined);
    return provider ? routeBy(provider, false) : fallback;
  };

  return {
    options,
    async of(message) {
      const provider = await findProvider(ctx, emailChannel, message.organizationId);
      const holder = ownerOf(message);
      if (!provider || (holder && !(await mayOpenAccount(ctx, provider, holder)))) return ofService();
      return routeBy(provider, true);
    },
    close() {
      transport.close();
      for (const each of open.values()) each.close();
    },
  };
}

/** Returns the options of a transport that depend on the mail server's keys. */
export function spokenToWith(ctx: Context, { xoauth2, dkim }: ServerKeys, options: MailRoutesOptions) {
  return { tokens: xoauth2 && accessTokens(ctx, xoauth2, options), dkim };
}

/**
 * Returns the address to use for a configured mail server; undefined if any of its addresses is not public. Only a
 * service on loopback (in development) may have a local mail server.
 */
export async function publicAddressOf(
  ctx: Pick<Context, "config">,
  smtpUrl: string,
  { resolve = resolveHost, mayConnect }: MailRoutesOptions = {},
): Promise<string | undefined> {
  const isPermitted = mayConnect ?? (isTrialServer(ctx, smtpUrl) ? isOwnMachine : isPublicAddress);
  const addresses = await resolve(new URL(smtpUrl).hostname).catch(() => []);
  return addresses.every(isPermitted) ? addresses[0] : undefined;
}

const isOwnMachine = (address: string): boolean => address === "::1" || /^127\./.test(address);

const unreachable: Transport = {
  send: async () => ({ outcome: "unreachable", answer: "the mail server that was set has no public address" }),
  close: () => {},
};

async function resolveHost(host: string): Promise<string[]> {
  return (await systemResolver.addresses(host)).map(({ address }) => address);
}
