/**
 * Message providers in the bootstrap file. The rules of the API apply to them. A stored one is found by its
 * description; its stored secrets take precedence over the file's (rule BOOTSTRAP-2), unless the server, the account or
 * the kind of provider has changed.
 */
import { isDeepStrictEqual } from "node:util";
import { ofKind, type ProviderAddress, type ServerKeys } from "../directory/provider/address";
import { emailChannel, type ProviderChannel, type ProviderOwner, smsChannel } from "../directory/provider/channel";
import { addProviderIn, changeProviderIn } from "../directory/provider/edit";
import type { FormSettings, ProviderForm } from "../directory/provider/form";
import { openAddress, type ProviderSettings } from "../directory/provider/provider";
import { activateProviderIn } from "../directory/provider/set-state";
import { smtpForm } from "../directory/provider/smtp";
import { type DeclaredEmailProvider, isSameServer, showAddress, smtpAddress } from "../directory/provider/smtp-address";
import { changedTwilio, type DeclaredSmsProvider, TWILIO_URL } from "../directory/provider/twilio";
import { changedWebhook } from "../directory/provider/webhook";
import { isApiError } from "../protocol/api-error";
import { reason } from "../protocol/reason";
import { failAt } from "./mistakes";
import type { Run } from "./run";

type Declared = DeclaredEmailProvider & DeclaredSmsProvider;
type Settings = Required<Declared>;

/** A part of the file with the providers of one owner. */
interface Section {
  smsProviders?: readonly DeclaredSmsProvider[];
  emailProviders?: readonly DeclaredEmailProvider[];
}

/** Applies the providers of one owner. @param path of the owner in the file */
export async function applyProviders(run: Run, owner: ProviderOwner, section: Section, path: string): Promise<void> {
  const { smsProviders = [], emailProviders = [] } = section;
  await applyEntries(run, smsChannel, owner, smsProviders, `${path}.smsProviders`);
  await applyEntries(run, emailChannel, owner, emailProviders, `${path}.emailProviders`);
}

async function applyEntries(
  { ctx, report }: Run,
  channel: ProviderChannel,
  owner: ProviderOwner,
  entries: readonly Partial<Declared>[],
  path: string,
): Promise<void> {
  const of = { channel, owner };
  for (const [index, { description = "", active, ...entry }] of entries.entries()) {
    const at = `${path}[${index}]`;
    const stored = await channel.rows.readDescribed(ctx.tx, owner.ownerId, description);
    const kind = entry.smtp ? "smtp" : entry.twilio ? "twilio" : "http";
    if (stored && stored.kind !== kind) failAt(at, reason("other_kind", { kind: stored.kind }));
    const saved = stored && openAddress(ctx, stored);
    const { address, sender = "", replyTo = null } = settingsOf(ctx, channel, entry, saved, `${at}.${kind}`);
    const settings: ProviderSettings = { address, sender, description, replyTo };
    const name = `${channel.name === "sms" ? "SMS" : "mail"} provider ${description} of ${owner.ownerId}`;
    const differs =
      !isDeepStrictEqual(saved, address) || stored?.sender !== sender || (stored.replyTo ?? null) !== replyTo;
    if (stored && differs) await changeProviderIn(ctx, of, stored, settings);
    const provider = stored ?? (await addProviderIn(ctx, of, settings));
    if (isApiError(provider)) return failAt(at, provider.message);
    const begins = active === true && stored?.activeFor !== owner.ownerId;
    if (begins) await activateProviderIn(ctx, of, provider.id);
    if (!stored) report.created.push(name);
    else if (differs || begins) report.updated.push(name);
  }
}

function settingsOf(
  ctx: Run["ctx"],
  channel: ProviderChannel,
  { smtp, twilio, http }: Partial<Declared>,
  saved: ProviderAddress | undefined,
  at: string,
): FormSettings {
  const read = (form: ProviderForm, given: unknown, before?: ProviderAddress): FormSettings => {
    const resolve = form.read(ctx, channel, given);
    const settings = isApiError(resolve) ? resolve : resolve(before);
    return isApiError(settings) ? failAt([at, settings.field].filter(Boolean).join("."), settings.message) : settings;
  };
  if (smtp) {
    const before = ofKind("smtp", saved);
    const isSaved = before !== undefined && isSameServer(before.smtpUrl, smtp);
    const settings = read(smtpForm, isSaved ? withoutSavedKeys(smtp, before.keys) : smtp, before);
    const keys = ofKind("smtp", settings.address)?.keys;
    const isSame = before && isDeepStrictEqual(withoutPassword(before.smtpUrl), withoutPassword(smtpAddress(smtp, "")));
    return isSame && keys ? { ...settings, address: { ...before, keys } } : settings;
  }
  if (twilio) {
    const before = ofKind("twilio", saved);
    const kept = before?.baseUrl === (twilio.baseUrl || TWILIO_URL) ? before.token : undefined;
    const token = kept ?? twilio.token ?? failAt(`${at}.token`, reason("required"));
    return read(changedTwilio, { ...twilio, token });
  }
  const { endpoint = "" } = http ?? {};
  read(changedWebhook, { endpoint });
  const signingKey = ofKind("http", saved)?.signingKey ?? http?.signingKey;
  return {
    address: { kind: "http", endpoint, signingKey: signingKey ?? failAt(`${at}.signingKey`, reason("required")) },
  };
}

/** Returns the given settings without the secrets that are already saved. */
function withoutSavedKeys(smtp: Settings["smtp"], saved: ServerKeys): Settings["smtp"] {
  const { xoauth2, dkim } = smtp;
  const { clientId } = xoauth2?.clientCredentials ?? {};
  const isSameClient = saved.xoauth2?.tokenEndpoint === xoauth2?.tokenEndpoint && saved.xoauth2?.clientId === clientId;
  const isSameName = saved.dkim?.domain === dkim?.domain && saved.dkim?.selector === dkim?.selector;
  return {
    ...smtp,
    xoauth2: xoauth2 && isSameClient ? { ...xoauth2, clientCredentials: { clientId: clientId ?? "" } } : xoauth2,
    dkim: dkim && isSameName ? { ...dkim, privateKey: undefined } : dkim,
  };
}

function withoutPassword(smtpUrl: string) {
  const { hasPassword: _, ...shown } = showAddress(smtpUrl);
  return shown;
}
