/**
 * Mail servers and webhooks for mails in the bootstrap file. The rules of the API apply to them. A stored one is found
 * by its description; its stored secret takes precedence over the file's (rule BOOTSTRAP-2), unless the server, the
 * user or the kind of provider has changed.
 */
import { isDeepStrictEqual } from "node:util";
import { addProviderIn } from "../directory/email-provider/add";
import {
  type DeclaredEmailProvider,
  isSameServer,
  refusePort,
  senderOf,
  showAddress,
  smtpAddress,
} from "../directory/email-provider/address";
import { changedAddress, changeProviderIn } from "../directory/email-provider/change";
import { emailChannel, openProvider } from "../directory/email-provider/provider";
import { resolveKeys, type ServerKeys } from "../directory/email-provider/server-keys";
import { addMailWebhookIn, changeMailWebhookIn } from "../directory/email-provider/webhook";
import type { ProviderOwner } from "../directory/provider/channel";
import { activateProviderIn } from "../directory/provider/set-state";
import { type WebhookAddress, whyNotCalled } from "../directory/provider/webhook";
import { isApiError } from "../protocol/api-error";
import { reason } from "../protocol/reason";
import type { EmailProviderRow } from "../storage/provider/email-providers";
import { failAt } from "./mistakes";
import type { Run } from "./run";

/** Applies the providers of one owner. @param path of the owner in the file */
export async function applyEmailProviders(
  run: Run,
  owner: ProviderOwner,
  entries: readonly DeclaredEmailProvider[],
  path: string,
): Promise<void> {
  const { ctx, tx, origin, report } = run;
  for (const [index, entry] of entries.entries()) {
    const at = `${path}.emailProviders[${index}]`;
    const stored = await emailChannel.rows.readDescribed(tx, owner.ownerId, entry.description);
    if (stored && stored.kind !== (entry.smtp ? "smtp" : "http")) {
      failAt(at, reason("other_kind", { kind: stored.kind }));
    }
    const name = `mail provider ${entry.description} of ${owner.ownerId}`;
    const done = entry.smtp
      ? await applyServer(run, owner, { ...entry, smtp: entry.smtp }, stored, at)
      : await applyWebhook(run, owner, entry, stored, at);
    const begins = entry.active === true && stored?.activeFor !== owner.ownerId;
    if (begins) await activateProviderIn(ctx, tx, emailChannel, owner, done.id, origin);
    if (!stored) report.created.push(name);
    else if (done.differs || begins) report.updated.push(name);
  }
}

interface Done {
  id: string;
  differs: boolean;
}

type ServerEntry = DeclaredEmailProvider & { smtp: NonNullable<DeclaredEmailProvider["smtp"]> };

async function applyServer(
  { ctx, tx, origin }: Run,
  owner: ProviderOwner,
  { description, smtp }: ServerEntry,
  stored: EmailProviderRow | undefined,
  at: string,
): Promise<Done> {
  const refused = refusePort(ctx, smtpAddress(smtp, ""));
  if (refused) failAt(`${at}.smtp.host`, refused.message);
  const saved = stored && openProvider(ctx, stored);
  const savedServer = saved?.kind === "smtp" ? saved : undefined;
  const savedKeys = savedServer?.keys ?? {};
  const isSameAddress = savedServer !== undefined && isSameServer(savedServer.smtpUrl, smtp);
  const keys = resolveKeys(ctx, isSameAddress ? withoutSaved(smtp, savedKeys) : smtp, savedServer);
  if (isApiError(keys)) return failAt(`${at}.smtp.${keys.field ?? ""}`.replace(/\.$/, ""), keys.message);
  const sender = senderOf(smtp);
  const replyTo = smtp.replyToAddress || null;
  if (!stored) {
    const smtpUrl = smtpAddress(smtp, smtp.password ?? "");
    const provider = { smtpUrl, sender, description, replyTo: replyTo ?? undefined, keys };
    const added = await addProviderIn(ctx, tx, owner, provider, origin);
    return isApiError(added) ? failAt(at, added.message) : { id: added.id, differs: true };
  }
  const before = saved?.kind === "smtp" ? saved.smtpUrl : undefined;
  const isSame =
    before !== undefined && isDeepStrictEqual(withoutPassword(before), withoutPassword(smtpAddress(smtp, "")));
  const smtpUrl = isSame ? before : changedAddress(ctx, stored, smtp);
  if (isApiError(smtpUrl)) return failAt(`${at}.smtp.password`, smtpUrl.message);
  const hasOtherKeys = !isDeepStrictEqual(savedKeys, keys);
  const differs = smtpUrl !== before || stored.sender !== sender || stored.replyTo !== replyTo || hasOtherKeys;
  if (differs) await changeProviderIn(ctx, tx, owner, stored, { smtpUrl, sender, description, replyTo, keys }, origin);
  return { id: stored.id, differs };
}

/** Returns the given settings without the secrets that are already saved. */
function withoutSaved(smtp: ServerEntry["smtp"], saved: ServerKeys): ServerEntry["smtp"] {
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

async function applyWebhook(
  { ctx, tx, origin }: Run,
  owner: ProviderOwner,
  { description, http }: DeclaredEmailProvider,
  stored: EmailProviderRow | undefined,
  at: string,
): Promise<Done> {
  const endpoint = http?.endpoint ?? "";
  const why = whyNotCalled(ctx, endpoint);
  if (why) failAt(`${at}.http.endpoint`, why);
  const opened = stored && openProvider(ctx, stored);
  const saved = opened?.kind === "http" ? opened.address : undefined;
  const signingKey = saved?.signingKey ?? http?.signingKey ?? failAt(`${at}.http.signingKey`, reason("required"));
  const address: WebhookAddress = { kind: "http", endpoint, signingKey };
  if (!stored) {
    const added = await addMailWebhookIn(ctx, tx, owner, { address, description }, origin);
    return isApiError(added) ? failAt(at, added.message) : { id: added.id, differs: true };
  }
  const differs = !isDeepStrictEqual(saved, address);
  if (differs) await changeMailWebhookIn(ctx, tx, { owner, row: stored }, { address, description }, origin);
  return { id: stored.id, differs };
}
