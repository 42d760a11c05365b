/**
 * How an organization sends its mails: a mail server and a sender of its own instead of the service's. The server's
 * address contains a password, so it is stored sealed, kept out of events and never shown again.
 */
import type { z } from "zod";
import { mailbox, smtpUrl } from "../../config-values";
import type { Context } from "../../context";
import { type Details, type Origin, recordIn, UNCHANGED } from "../../events/record";
import { said } from "../../protocol/reason";
import { parseUrl } from "../../protocol/url";
import { deleteMailSettings, findMailSettingsRow, writeMailSettings } from "../../storage/mail-settings";
import { createCache } from "../cache";
import { changeDirectory } from "../change";
import { line, strict } from "../fields";
import { answerableFor } from "../member/answerable";
import { mayOpenAllAccounts, type OrganizationSetting } from "../member/privileges";

/**
 * Relay (25), submission over TLS (465), submission (587) and its common alternative (2525); other ports are not mail
 * servers'.
 */
const PORTS = new Set(["", "25", "465", "587", "2525"]);

/** What may be set; single lines, so that nothing can be injected into a header or a command. */
export const mailSettingsSchema = strict({
  smtpUrl: line(1_000)
    .pipe(smtpUrl)
    // Asked about what is no address, too.
    .refine((url) => PORTS.has(parseUrl(url)?.port ?? ""), { error: said("smtp_port") })
    // Parameters could turn TLS off and expose the password.
    .refine((url) => !parseUrl(url)?.search, { error: said("no_parameters") }),
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

export interface MailSettingsInUse extends MailSettingsShown {
  /** Some of the organization's people get their codes by the service's own server: see `mayOpenAccount`. */
  isBypassed?: true;
}

/** Settings with the organization and who is answerable for them. */
export type OwnMailSettings = MailSettings & OrganizationSetting;

/** Absence is cached as `null`: most organizations have no settings, and every mail looks. */
const known = createCache<{ settings: OwnMailSettings | null }>();

/** Undefined if the organization uses the service's, or if the key that sealed its settings is gone. */
export async function findMailSettings(ctx: Context, organizationId: string): Promise<OwnMailSettings | undefined> {
  const found = await known.get(ctx, organizationId, async () => {
    const row = await findMailSettingsRow(ctx.db, organizationId);
    const url = row && ctx.secrets.open("mail", row.sealedSmtpUrl);
    if (!row || url === undefined) return { settings: null };
    return { settings: { smtpUrl: url, sender: row.sender, organizationId, changedBy: row.changedBy } };
  });
  return found?.settings ?? undefined;
}

/** The sender of the service's own mails. */
export function serviceSender({ config: { mailFrom, baseUrl } }: Pick<Context, "config">): string {
  return mailFrom ?? `no-reply@${new URL(baseUrl).hostname}`;
}

/**
 * The sender's address, without a name, for people who look for a mail: the organization's, or the service's if none is
 * known.
 */
export async function findSender(ctx: Context, organizationId: string | undefined): Promise<string> {
  const settings = organizationId === undefined ? undefined : await findMailSettings(ctx, organizationId);
  const sender = settings?.sender ?? serviceSender(ctx);
  return /<([^<>]+)>\s*$/.exec(sender)?.[1] ?? sender;
}

export async function findShownMailSettings(
  ctx: Context,
  organizationId: string,
): Promise<MailSettingsInUse | undefined> {
  const settings = await findMailSettings(ctx, organizationId);
  return settings && { ...show(settings), ...(!(await mayOpenAllAccounts(ctx, settings)) && { isBypassed: true }) };
}

/** Stores both; the caller has validated them and checked permissions. */
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
        const changedBy = await answerableFor(tx, origin);
        await writeMailSettings(tx, { organizationId, sealedSmtpUrl, sender, changedBy }, now);
        const { host, port, user } = show({ smtpUrl, sender });
        return { payload: { host, port, user, sender } };
      },
    }),
  );
}

/**
 * Removes the settings, so that the organization uses the service's. Without settings nothing changes and nothing is
 * recorded.
 */
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
