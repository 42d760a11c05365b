/** Adds providers, which send nothing until they are activated, and changes their settings. */
import { isDeepStrictEqual } from "node:util";
import { newId } from "../../crypto/random";
import { type ChangeContext, type Details, type OriginContext, recordIn } from "../../events/record";
import { type ApiError, isApiError } from "../../protocol/api-error";
import { lockInstanceRow } from "../../storage/instance/instance";
import { lockOrganization } from "../../storage/organization/organization";
import type { ProviderRow } from "../../storage/provider/provider-table";
import { changeDirectory } from "../change";
import { answerableFor } from "../member/answerable";
import { noSuchOrganization } from "../not-found";
import type { ProviderAddress } from "./address";
import { aboutProvider, checkPrivilegeOverMessages, type ProviderChannel, type ProvidersOf } from "./channel";
import type { FormSettings, ProviderForm } from "./form";
import { openAddress, type ProviderSettings, sealSettings } from "./provider";
import { showAddress } from "./smtp-address";

interface Added {
  id: string;
  details: Details;
}

/** More than any owner needs; each row stores a secret. */
const MAX_PROVIDERS = 50;

/** Adds a provider. @returns with the new key that signs the requests of a webhook, which is shown only this time */
export async function addProvider(
  ctx: OriginContext,
  { channel, owner }: ProvidersOf,
  form: ProviderForm,
  given: unknown,
): Promise<(Added & { signingKey?: string }) | ApiError> {
  const resolve = form.read(ctx, channel, given);
  if (isApiError(resolve)) return resolve;
  const settings = resolve(undefined);
  if (isApiError(settings)) return settings;
  const refusal = await checkPrivilegeOverMessages(ctx, ctx.origin.actor, owner);
  if (refusal) return refusal;
  const added = await changeDirectory(ctx, (ctx) => addProviderIn(ctx, { channel, owner }, settingsAfter(settings)));
  return isApiError(added) ? added : { ...added, signingKey: settings.signingKey };
}

/**
 * Adds a provider. The caller has checked the settings and the permissions. Locks the owner, so that concurrent
 * additions are counted, and an organization is not removed meanwhile.
 */
export async function addProviderIn(
  ctx: ChangeContext,
  { channel, owner: { level, ownerId } }: ProvidersOf,
  settings: ProviderSettings,
): Promise<Added | ApiError> {
  if (level === "instance") await lockInstanceRow(ctx.db, ctx.tx);
  else if (!(await lockOrganization(ctx.db, ctx.tx, ownerId))) return noSuchOrganization();
  if ((await channel.rows.count(ctx.tx, ownerId)) >= MAX_PROVIDERS) return channel.tooMany(MAX_PROVIDERS);
  const id = newId();
  const details = await recordIn(ctx, {
    ...aboutProvider({ channel, owner: { level, ownerId } }, "added"),
    async state(_, now) {
      const { kind } = settings.address;
      const changedBy = await answerableFor(ctx);
      await channel.rows.insert(
        ctx.tx,
        { id, ownerId, activeFor: null, kind, changedBy, ...sealSettings(ctx, settings) },
        now,
      );
      return { payload: audited(channel, id, settings) };
    },
  });
  return { id, details };
}

/** Changes a provider. @returns with the new signing key, if one was requested or the old one is lost */
export async function changeProvider(
  ctx: OriginContext,
  { channel, owner }: ProvidersOf,
  id: string,
  form: ProviderForm,
  given: unknown,
): Promise<{ details: Details; signingKey?: string } | ApiError> {
  const resolve = form.read(ctx, channel, given);
  if (isApiError(resolve)) return resolve;
  const refusal = await checkPrivilegeOverMessages(ctx, ctx.origin.actor, owner);
  if (refusal) return refusal;
  return changeDirectory(ctx, async (ctx) => {
    const row = await channel.rows.read(ctx.tx, owner.ownerId, id);
    if (row?.kind !== form.kind) return channel.noProvider();
    const settings = resolve(openAddress(ctx, row));
    if (isApiError(settings)) return settings;
    const details = await changeProviderIn(ctx, { channel, owner }, row, settingsAfter(settings, row));
    return { details, signingKey: settings.signingKey };
  });
}

/** Changes a provider. The caller has checked the settings and the permissions. */
export function changeProviderIn(
  ctx: ChangeContext,
  { channel, owner }: ProvidersOf,
  row: ProviderRow,
  settings: ProviderSettings,
): Promise<Details> {
  return recordIn(ctx, {
    ...aboutProvider({ channel, owner }, "changed"),
    async state(_, now) {
      // A user who only corrects a description is not answerable for a server that another user chose.
      const isKept = isSameAddress(openAddress(ctx, row), settings.address);
      const changedBy = isKept ? row.changedBy : await answerableFor(ctx);
      await channel.rows.update(ctx.tx, row.id, { ...sealSettings(ctx, settings), changedBy }, now);
      return { payload: audited(channel, row.id, settings) };
    },
  });
}

/** Returns the settings to store: those that the form leaves out keep their values. */
function settingsAfter({ address, sender, description, replyTo }: FormSettings, row?: ProviderRow): ProviderSettings {
  return {
    address,
    sender: sender ?? row?.sender ?? "",
    description: description ?? row?.description ?? "",
    replyTo: replyTo === undefined ? (row?.replyTo ?? null) : replyTo,
  };
}

/** Returns whether messages go to the same server or account with the same credentials; other keys do not matter. */
function isSameAddress(before: ProviderAddress | undefined, after: ProviderAddress): boolean {
  if (before?.kind === "smtp" && after.kind === "smtp") return before.smtpUrl === after.smtpUrl;
  return isDeepStrictEqual(before, after);
}

/**
 * Returns the fields of a provider for the audit trail. Of other addresses than mail servers only the host, because
 * paths and parameters often contain a secret.
 */
function audited({ name }: ProviderChannel, providerId: string, settings: ProviderSettings) {
  const { address, sender, description, replyTo } = settings;
  if (address.kind === "smtp") {
    const { host, port, user } = showAddress(address.smtpUrl);
    return { providerId, host, port, user, sender, replyTo, description };
  }
  const { kind } = address;
  const { host } = new URL(kind === "twilio" ? address.baseUrl : address.endpoint);
  return { providerId, kind, host, sender: name === "email" ? undefined : sender, description };
}
