/**
 * Which mail server a mail goes by, and who it is from: the organization's own where it has one, else the service's.
 * What an organization typed is connected to only where it stands in the public Internet, at the very address that was
 * checked: a name that leads elsewhere a moment later (DNS rebinding) gains nothing.
 */
import { lookup } from "node:dns/promises";
import type { Context } from "../context";
import { findMailSettings, serviceSender } from "../directory/organization/mail-settings";
import { isPublicAddress } from "../protocol/public-address";
import { keeping, smtpTransport, type Transport } from "./transport";

export interface MailRoute {
  transport: Transport;
  /** Mailbox in the From field. */
  sender: string;
  /** A failure of it says nothing about other organizations' mails. */
  isOrganizations: boolean;
}

export interface MailRoutes {
  /** Of the mails of an organization's users. */
  of(organizationId: string): Promise<MailRoute>;
  close(): void;
}

/** Beyond so many mail servers the one that was opened first is closed. */
const MOST_OPEN = 50;

export interface MailRoutesOptions {
  /** Addresses of a host name; the system's resolver if not given. */
  resolve?: (host: string) => Promise<string[]>;
  /** Which of them may be connected to; public ones if not given. */
  mayConnect?: (address: string) => boolean;
}

/** Opens nothing yet; connections are made with the first mail. Whoever opens the routes closes them. */
export function openMailRoutes(ctx: Context, options: MailRoutesOptions = {}): MailRoutes {
  const { smtpUrl } = ctx.config;
  const transport = smtpUrl === undefined ? keeping : smtpTransport(smtpUrl);
  const own: MailRoute = { transport, sender: serviceSender(ctx), isOrganizations: false };
  const open = new Map<string, Transport>();

  /** One per server and address: where the name leads elsewhere now, another is opened. */
  const transportTo = async (url: string): Promise<Transport> => {
    const address = await publicAddressOf(url, options);
    if (address === undefined) return unreachable;
    const key = `${address} ${url}`;
    let known = open.get(key);
    if (!known) {
      if (open.size >= MOST_OPEN) closeFirst();
      known = smtpTransport(url, { address });
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

  return {
    async of(organizationId) {
      const settings = await findMailSettings(ctx, organizationId);
      if (!settings) return own;
      return { transport: await transportTo(settings.smtpUrl), sender: settings.sender, isOrganizations: true };
    },
    close() {
      transport.close();
      for (const each of open.values()) each.close();
    },
  };
}

/** Where a mail server that somebody typed may be connected to; undefined where any of its addresses is not public. */
export async function publicAddressOf(
  smtpUrl: string,
  { resolve = resolveHost, mayConnect = isPublicAddress }: MailRoutesOptions = {},
): Promise<string | undefined> {
  const addresses = await resolve(new URL(smtpUrl).hostname).catch(() => []);
  return addresses.every(mayConnect) ? addresses[0] : undefined;
}

const unreachable: Transport = {
  send: async () => ({ outcome: "unreachable", answer: "the organization's mail server has no public address" }),
  close: () => {},
};

async function resolveHost(host: string): Promise<string[]> {
  const found = await lookup(host.replace(/^\[|\]$/g, ""), { all: true });
  return found.map(({ address }) => address);
}
