/**
 * Providers of text messages in the bootstrap file. The rules of the API apply to them. A stored one is found by its
 * description; its stored secret takes precedence over the file's (rule BOOTSTRAP-2), unless the address has changed.
 */
import type { ProviderOwner } from "../directory/provider/channel";
import { activateProviderIn } from "../directory/provider/set-state";
import { addSmsProviderIn, type SmsSettings } from "../directory/sms-provider/add";
import {
  type DeclaredSmsProvider,
  refuseAddress,
  type SmsAddress,
  TWILIO_URL,
} from "../directory/sms-provider/address";
import { changeSmsProviderIn, isSameAddress } from "../directory/sms-provider/change";
import { openSmsProvider, smsChannel } from "../directory/sms-provider/provider";
import { isApiError } from "../protocol/api-error";
import { reason } from "../protocol/reason";
import type { SmsProviderRow } from "../storage/provider/sms-providers";
import { failAt } from "./mistakes";
import type { Run } from "./run";

/** Applies the providers of one owner. @param path of the owner in the file */
export async function applySmsProviders(
  run: Run,
  owner: ProviderOwner,
  entries: readonly DeclaredSmsProvider[],
  path: string,
): Promise<void> {
  const { ctx, tx, origin, report } = run;
  for (const [index, entry] of entries.entries()) {
    const at = `${path}.smsProviders[${index}]`;
    const { description, active } = entry;
    const stored = await smsChannel.rows.readDescribed(tx, owner.ownerId, description);
    const address = addressOf(run, entry, stored, at);
    const settings: SmsSettings = { address, sender: entry.twilio?.senderNumber ?? "", description };
    const name = `SMS provider ${description} of ${owner.ownerId}`;
    if (!stored) {
      const added = await addSmsProviderIn(ctx, tx, owner, settings, origin);
      if (isApiError(added)) return failAt(at, added.message);
      report.created.push(name);
      if (active) await activateProviderIn(ctx, tx, smsChannel, owner, added.id, origin);
      continue;
    }
    const differs = stored.sender !== settings.sender || !isSameAddress(ctx, stored, address);
    const begins = active === true && stored.activeFor === null;
    if (differs) await changeSmsProviderIn(ctx, tx, { owner, row: stored }, settings, origin);
    if (begins) await activateProviderIn(ctx, tx, smsChannel, owner, stored.id, origin);
    if (differs || begins) report.updated.push(name);
  }
}

function addressOf(
  { ctx }: Run,
  { twilio, http }: DeclaredSmsProvider,
  stored: SmsProviderRow | undefined,
  at: string,
): SmsAddress {
  const saved = stored && openSmsProvider(ctx, stored)?.address;
  if (stored && stored.kind !== (twilio ? "twilio" : "http"))
    return failAt(at, reason("other_kind", { kind: stored.kind }));
  if (twilio) {
    const baseUrl = twilio.baseUrl || TWILIO_URL;
    const refused = refuseAddress(ctx, "baseUrl", baseUrl);
    if (refused) failAt(`${at}.twilio.baseUrl`, refused);
    const kept = saved?.kind === "twilio" && saved.baseUrl === baseUrl ? saved.token : undefined;
    const token = kept ?? twilio.token ?? failAt(`${at}.twilio.token`, reason("required"));
    return { kind: "twilio", baseUrl, sid: twilio.sid, token };
  }
  const endpoint = http?.endpoint ?? "";
  const refused = refuseAddress(ctx, "endpoint", endpoint);
  if (refused) failAt(`${at}.http.endpoint`, refused);
  const kept = saved?.kind === "http" ? saved.signingKey : undefined;
  const signingKey = kept ?? http?.signingKey ?? failAt(`${at}.http.signingKey`, reason("required"));
  return { kind: "http", endpoint, signingKey };
}
