/** Mail providers as the operations show them: of any kind, and mail servers under their earlier names. */
import { z } from "zod";
import type { ProviderShown, ServerShown } from "../../directory/email-provider/provider";
import type { ProviderOwner } from "../../directory/provider/channel";

const smtp = {
  senderAddress: z.string(),
  senderName: z.string(),
  tls: z.boolean(),
  host: z.string().meta({ example: "mail.example.com:587" }),
  user: z.string(),
  replyToAddress: z.string(),
  hasPassword: z.boolean(),
  xoauth2: z
    .object({
      tokenEndpoint: z.string(),
      scopes: z.array(z.string()),
      clientCredentials: z.object({ clientId: z.string() }),
    })
    .optional(),
  dkim: z
    .object({
      domain: z.string(),
      selector: z.string(),
      recordName: z.string().meta({ description: "The name of the required DNS TXT record" }),
      recordValue: z.string().meta({ description: "The required content of the TXT record" }),
    })
    .optional(),
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

function toSmtp({ host, port, user = "", replyTo = "", xoauth2: client, ...shown }: ServerShown) {
  const { senderAddress, senderName, tls, hasPassword, dkim } = shown;
  const place = port === undefined ? host : `${host}:${port}`;
  const server = { senderAddress, senderName, tls, host: place, user, replyToAddress: replyTo, hasPassword };
  if (!client) return { ...server, dkim };
  const { tokenEndpoint, scopes, clientId } = client;
  return { ...server, dkim, xoauth2: { tokenEndpoint, scopes: [...scopes], clientCredentials: { clientId } } };
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
