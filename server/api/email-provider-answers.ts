/** Mail providers as the operations show them: of any kind, and mail servers under their earlier names. */
import { z } from "zod";
import type { ProviderShown, ServerShown } from "../directory/email-provider/provider";
import type { ProviderOwner } from "../directory/provider/channel";

const smtp = {
  senderAddress: z.string(),
  senderName: z.string(),
  tls: z.boolean(),
  host: z.string().meta({ example: "mail.example.com:587" }),
  user: z.string(),
  replyToAddress: z.string(),
  hasPassword: z.boolean(),
};
export const provider = z
  .object({
    id: z.string(),
    details: z.object({ resourceOwner: z.string() }),
    state: z.enum(["EMAIL_PROVIDER_ACTIVE", "EMAIL_PROVIDER_INACTIVE"]),
    description: z.string(),
    smtp: z.object(smtp).optional(),
    http: z.object({ endpoint: z.string() }).optional(),
  })
  .meta({ id: "EmailProvider" });
export const smtpConfig = z
  .object({
    id: z.string(),
    details: z.object({ resourceOwner: z.string() }),
    state: z.enum(["SMTP_CONFIG_ACTIVE", "SMTP_CONFIG_INACTIVE"]),
    description: z.string(),
    ...smtp,
  })
  .meta({ id: "SMTPConfig" });

function toSmtp({ senderAddress, senderName, tls, host, port, user = "", replyTo = "", hasPassword }: ServerShown) {
  const place = port === undefined ? host : `${host}:${port}`;
  return { senderAddress, senderName, tls, host: place, user, replyToAddress: replyTo, hasPassword };
}

const stateOf = ({ isActive }: Pick<ProviderShown, "isActive">) => (isActive ? "ACTIVE" : "INACTIVE");

export function toProvider({ ownerId }: ProviderOwner, shown: ProviderShown): z.input<typeof provider> {
  const { id, description } = shown;
  const state = `EMAIL_PROVIDER_${stateOf(shown)}` as const;
  const common = { id, details: { resourceOwner: ownerId }, state, description };
  return shown.kind === "http" ? { ...common, http: { endpoint: shown.endpoint } } : { ...common, smtp: toSmtp(shown) };
}

export function toSmtpConfig({ ownerId }: ProviderOwner, shown: ServerShown): z.input<typeof smtpConfig> {
  const { id, description } = shown;
  const state = `SMTP_CONFIG_${stateOf(shown)}` as const;
  return { id, details: { resourceOwner: ownerId }, state, description, ...toSmtp(shown) };
}
