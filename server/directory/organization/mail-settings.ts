/**
 * How an organization sends its mails: a mail server and a sender of its own, over the service's. The address of the
 * server holds a password, so it is sealed, never in an event and never shown again.
 */
import type { z } from "zod";
import { mailbox, smtpUrl } from "../../config-values";
import type { Context } from "../../context";
import { type Details, type Origin, recordIn, UNCHANGED } from "../../events/record";
import { deleteMailSettings, findMailSettingsRow, writeMailSettings } from "../../storage/mail-settings";
import { createCache } from "../cache";
import { changeDirectory } from "../change";
import { line, strict } from "../fields";

/** Submission and its TLS form, relay, and the port that stands in for a blocked one; others are no mail servers. */
const PORTS = new Set(["", "25", "465", "587", "2525"]);

/** What may be set; a whole line each, so that nothing can be put into a header or a command. */
export const mailSettingsSchema = strict({
  smtpUrl: line(1_000)
    .pipe(smtpUrl)
    .refine((url) => PORTS.has(new URL(url).port), { error: "must have port 25, 465, 587 or 2525" })
    // With them somebody could send a password in the open through our network.
    .refine((url) => new URL(url).search === "", { error: "must not have parameters" }),
  sender: line(300).pipe(mailbox),
});

export type MailSettings = z.output<typeof mailSettingsSchema>;

/** What administrators are shown. */
export interface MailSettingsShown {
  host: string;
  port?: number;
  user?: string;
  hasPassword: boolean;
  sender: string;
}

/** Absence is remembered as `null`: most organizations have none, and every mail asks. */
const known = createCache<{ settings: MailSettings | null }>();

/** Undefined: the organization sends as the service does; also where the key that sealed its settings is gone. */
export async function findMailSettings(ctx: Context, organizationId: string): Promise<MailSettings | undefined> {
  const found = await known.get(ctx, organizationId, async () => {
    const row = await findMailSettingsRow(ctx.db, organizationId);
    const url = row && ctx.secrets.open("mail", row.sealedSmtpUrl);
    return { settings: row && url !== undefined ? { smtpUrl: url, sender: row.sender } : null };
  });
  return found?.settings ?? undefined;
}

/** The mailbox the service's own mails are from. */
export function serviceSender({ config: { mailFrom, baseUrl } }: Pick<Context, "config">): string {
  return mailFrom ?? `no-reply@${new URL(baseUrl).hostname}`;
}

/**
 * The address, without a name, that mails of an organization are from; the service's where no organization is known.
 * For people who look for a mail.
 */
export async function findSender(ctx: Context, organizationId: string | undefined): Promise<string> {
  const settings = organizationId === undefined ? undefined : await findMailSettings(ctx, organizationId);
  const sender = settings?.sender ?? serviceSender(ctx);
  return /<([^<>]+)>\s*$/.exec(sender)?.[1] ?? sender;
}

export async function findShownMailSettings(
  ctx: Context,
  organizationId: string,
): Promise<MailSettingsShown | undefined> {
  const settings = await findMailSettings(ctx, organizationId);
  return settings && show(settings);
}

/** Sets both; the caller has parsed them and checked who asks. */
export function setMailSettings(
  ctx: Context,
  organizationId: string,
  { smtpUrl, sender }: MailSettings,
  origin: Origin,
): Promise<Details> {
  return changeDirectory(ctx, (tx) =>
    recordIn(ctx, tx, {
      type: "organization.mail_settings.set",
      aggregateId: organizationId,
      resourceOwner: organizationId,
      origin,
      async state(_, now) {
        const sealedSmtpUrl = ctx.secrets.seal("mail", smtpUrl);
        await writeMailSettings(tx, { organizationId, sealedSmtpUrl, sender }, now);
        const { host, port, user } = show({ smtpUrl, sender });
        return { payload: { host, port, user, sender } };
      },
    }),
  );
}

/** From now on the organization sends as the service does. Without settings nothing changes and nothing is recorded. */
export function removeMailSettings(ctx: Context, organizationId: string, origin: Origin): Promise<Details> {
  return changeDirectory(ctx, (tx) =>
    recordIn(ctx, tx, {
      type: "organization.mail_settings.removed",
      aggregateId: organizationId,
      resourceOwner: organizationId,
      origin,
      state: async () => ((await deleteMailSettings(tx, organizationId)) ? {} : UNCHANGED),
    }),
  );
}

function show({ smtpUrl, sender }: MailSettings): MailSettingsShown {
  const url = new URL(smtpUrl);
  return {
    host: url.hostname,
    port: url.port === "" ? undefined : Number(url.port),
    user: url.username === "" ? undefined : url.username,
    hasPassword: url.password !== "",
    sender,
  };
}
