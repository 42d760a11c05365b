/**
 * Leaves out what is stored but must not be sent, of messages that open or protect accounts: fields that break the rule
 * about addresses (they are older than the rule, or the organization has lost the domain), and the text of an
 * organization that may not open this account. The level above applies instead, as if the field were empty.
 */
import type { Context } from "../context";
import { type AccountHolder, mayOpenAccount } from "../directory/member/privileges";
import type { Language } from "../directory/policy/languages";
import type { MessageType } from "../message-types/table";
import type { LevelFields, MessageTextLevel, TextLevels } from "../storage/message-texts";
import { findAddressErrors } from "./lint";
import { fieldsOf, type MessageField } from "./message-text";
import { ownHosts, serviceHosts } from "./own-hosts";
import { takesPower } from "./variables";

export interface MessageTextWanted {
  type: MessageType;
  language: Language;
  /** Undefined: the text in force at instance level. */
  organizationId?: string;
  /** Whose account the message opens or protects, for one that is sent; undefined: nobody's, as in the editor. */
  holder?: AccountHolder;
}

/** The texts of the levels, without what must not be sent. */
export async function usableTexts(ctx: Context, wanted: MessageTextWanted, levels: TextLevels): Promise<TextLevels> {
  if (!takesPower(wanted.type)) return levels;
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
  // Few texts name an address, so the organization's domains are only looked up for these.
  if (foreign.length > 0 && level === "organization") {
    foreign = findForeign(foreign, await ownHosts(ctx, organizationId));
  }
  if (foreign.length === 0) return fields;
  logOnce(ctx, { type, language, level, ...(level === "organization" && { organizationId }), fields: foreign });
  return { ...fields, ...Object.fromEntries(foreign.map((field) => [field, null])) };
}

/** What was logged; by database, as tests have several. */
const logged = new WeakMap<Context["db"], Set<string>>();
/** Beyond this it is forgotten what was logged: there may be as many texts as organizations want. */
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
