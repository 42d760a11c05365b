/**
 * Omits stored texts that must not be sent in messages that open or protect accounts: fields that violate the rule
 * about addresses (they predate the rule, or the organization has lost the domain), and texts of an organization that
 * may not open this account. The level above applies instead, as if the field were empty.
 */
import type { Context } from "../context";
import { type AccountHolder, mayOpenAccount } from "../directory/member/privileges";
import type { Language } from "../directory/policy/languages";
import type { MessageType } from "../message-types/table";
import type { LevelFields, MessageTextLevel, TextLevels } from "../storage/text/message-texts";
import { findAddressErrors } from "./lint";
import { fieldsOf, type MessageField } from "./message-text";
import { ownHosts, serviceHosts } from "./own-hosts";
import { isProtected } from "./variables";

export interface MessageTextWanted {
  type: MessageType;
  language: Language;
  /** Undefined: the text in force at instance level. */
  organizationId?: string;
  /** The user over whom the text takes power, when it is sent; undefined in the editor. */
  holder?: AccountHolder;
}

/** Returns the texts of the levels without those that must not be sent. */
export async function usableTexts(ctx: Context, wanted: MessageTextWanted, levels: TextLevels): Promise<TextLevels> {
  if (!isProtected(wanted.type)) return levels;
  const { organization, instance } = levels;
  return {
    ...(instance && { instance: await withoutForeign(ctx, wanted, "instance", instance) }),
    ...(organization &&
      (await mayBeUsed(ctx, wanted, organization)) && {
        organization: await withoutForeign(ctx, wanted, "organization", organization),
      }),
  };
}

async function mayBeUsed(ctx: Context, { organizationId, holder }: MessageTextWanted, { changedBy }: LevelFields) {
  return !holder || organizationId === undefined || mayOpenAccount(ctx, { organizationId, changedBy }, holder);
}

async function withoutForeign(
  ctx: Context,
  { type, language, organizationId }: MessageTextWanted,
  level: MessageTextLevel,
  fields: LevelFields,
): Promise<LevelFields> {
  const findForeign = (among: readonly MessageField[], own: ReturnType<typeof serviceHosts>) =>
    among.filter((field) => findAddressErrors(type, field, fields[field] ?? "", own, 1).length > 0);
  let foreign = findForeign(fieldsOf(type), serviceHosts(ctx));
  // Few texts name an address, so the organization's domains are only read for these.
  if (foreign.length > 0 && level === "organization") {
    foreign = findForeign(foreign, await ownHosts(ctx, organizationId));
  }
  if (foreign.length === 0) return fields;
  logOnce(ctx, { type, language, level, ...(level === "organization" && { organizationId }), fields: foreign });
  return { ...fields, ...Object.fromEntries(foreign.map((field) => [field, null])) };
}

/** What was logged already, by database, as tests have several. */
const logged = new WeakMap<Context["db"], Set<string>>();
/** The log memory is cleared above this size, as the number of texts is not limited. */
const MAX_LOGGED = 1_000;

function logOnce(ctx: Context, facts: object): void {
  const known = logged.get(ctx.db) ?? new Set();
  logged.set(ctx.db, known);
  const key = JSON.stringify(facts);
  if (known.has(key)) return;
  if (known.size >= MAX_LOGGED) known.clear();
  known.add(key);
  ctx.log.warn(facts, "a text that names a foreign address is not used; change or reset it");
}
