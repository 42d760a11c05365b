/**
 * Imports a translator's file. Everything in it is checked by the rules of each text before anything is written, and it
 * is written completely or not at all. A text that equals the inherited one is not stored as customized, and a text
 * that the file omits is unchanged. Rule TEXT-10.
 */
import type { Context } from "../../context";
import { changeDirectory } from "../../directory/change";
import { baseOf, findLanguage, type Language } from "../../directory/policy/languages";
import type { OriginContext } from "../../events/record";
import type { MessageType } from "../../message-types/table";
import { type ApiError, aborted, invalidArgument, isApiError, type Problem } from "../../protocol/api-error";
import { findOwnDrafts, needsApproval } from "../drafts/keep-draft";
import { rightsOverText } from "../drafts/power";
import { saveLocked } from "../editing/save-text";
import { isSameText, lockLevelText, readOwnText, setFields } from "../level/level-text";
import { lintMessageText } from "../lint";
import { ownHosts } from "../own-hosts";
import { checkPageText } from "../pages/check-page-text";
import { pageTextsOf } from "../pages/page-texts";
import { type LevelText, type OwnText, textOwner } from "../text-owner";
import { takesPower } from "../variables";
import type { TransferFormat } from "./export";
import { readJsonTexts } from "./json";
import { listTextUnits, messageFields, type TextUnit } from "./units";
import { type ReadUnit, readXliff } from "./xliff";

export interface ImportWanted {
  organizationId: string | undefined;
  language: Language;
  format: TransferFormat;
  content: string;
  /** Only reports what would be done. */
  isTrial: boolean;
}

export interface ImportedText {
  id: string;
  /** The level's own text; omitted: the inherited one applies. */
  from?: string;
  to?: string;
}

/** The maximum number of mistakes in a response. */
const MAX_MISTAKES = 100;

export async function importTranslations(
  ctx: OriginContext,
  wanted: ImportWanted,
): Promise<{ changes: ImportedText[]; isDraft?: boolean } | ApiError> {
  const { organizationId, language, format } = wanted;
  // Programs on Windows begin a file with a byte order mark, which is not content (XML 1.0 §F.1, RFC 8259 §8.1).
  const content = wanted.content.replace(/^\ufeff/, "");
  const read = format === "json" ? readJsonTexts(content) : await readXliff(content);
  if ("mistake" in read) return malformed(read.mistake);
  if ((await findLanguage(ctx, read.targetLanguage)) !== language) {
    return malformed(
      `The file is in another language than ${language}: ${read.targetLanguage.slice(0, 40) || "none"}.`,
    );
  }
  const { ownerId } = await textOwner(ctx, organizationId);
  const rights = await rightsOverText(ctx, ctx.origin.actor, { ownerId, type: undefined, language });
  if (isApiError(rights)) return rights;
  const { isProposal } = rights;
  const live = await listTextUnits(ctx, organizationId, language);
  const own = await findOwnDrafts(ctx, organizationId, language, { userId: ctx.origin.actor, isProposal });
  // The import continues the caller's own drafts, which would otherwise be lost.
  const before = own ? withDrafts(live, own) : live;
  const after = applied(before, read.units);
  if (isApiError(after)) return after;
  const changes = before.flatMap(({ id, own: from }, index): ImportedText[] => {
    const to = after[index]?.own;
    return from === to ? [] : [{ id, ...(from !== undefined && { from }), ...(to !== undefined && { to }) }];
  });
  const changed = new Set(changes.map(({ id }) => id));
  const types = [...new Set(after.flatMap(({ id, of }) => ("type" in of && changed.has(id) ? [of.type] : [])))];
  for (const type of [...types.filter(takesPower).slice(0, 1), undefined]) {
    const rightsOver = await rightsOverText(ctx, ctx.origin.actor, { ownerId, type, language });
    if (isApiError(rightsOver)) return rightsOver;
    const refusal = rightsOver.checkPower(textOf(live, type), textOf(after, type));
    if (refusal) return refusal;
  }
  const mistakes = await mistakesIn(ctx, organizationId, { language, types, units: after, changed });
  const [first] = mistakes;
  if (first) {
    const { id, message, ...at } = first;
    return invalidArgument(id, message, { ...at, problems: mistakes.slice(0, MAX_MISTAKES) });
  }
  if (wanted.isTrial || changes.length === 0) return { changes };
  const isDraft = own !== undefined;
  const changing = { ownerId, language, types, before, live, after, isDraft, isProposal };
  const written = await write(ctx, changing);
  return isApiError(written) ? written : { changes, isDraft };
}

/** Returns the units with one person's drafts applied. */
function withDrafts(units: readonly TextUnit[], drafts: ReadonlyMap<MessageType | undefined, OwnText>): TextUnit[] {
  return units.map((unit) => {
    const { of } = unit;
    const draft = drafts.get("type" in of ? of.type : undefined);
    return draft ? { ...unit, own: draft["type" in of ? of.field : of.word] } : unit;
  });
}

const malformed = (mistake: string): ApiError => invalidArgument("text_file.malformed", mistake, { field: "content" });

/** Returns the units with the texts of the file applied. */
function applied(before: readonly TextUnit[], given: readonly ReadUnit[]): TextUnit[] | ApiError {
  const known = new Set(before.map(({ id }) => id));
  const said = new Map<string, string>();
  const problems: Problem[] = [];
  for (const { id, target, line } of given) {
    const at = line > 0 ? `Line ${line}: ` : "";
    const name = id.slice(0, 100);
    if (!known.has(id)) {
      problems.push({ id: "text_file.unknown_text", message: `${at}there is no text “${name}”.`, field: name });
    } else if (said.has(id)) {
      problems.push({ id: "text_file.unknown_text", message: `${at}“${name}” stands there twice.`, field: name });
    }
    if (problems.length >= MAX_MISTAKES) break;
    said.set(id, target);
  }
  const [first] = problems;
  if (first) return invalidArgument(first.id, first.message, { field: first.field, problems });
  return before.map((unit) => {
    const text = said.get(unit.id);
    if (text === undefined || text === "") return unit;
    return { ...unit, own: text === unit.inherited ? undefined : text };
  });
}

interface Checked {
  language: Language;
  types: readonly MessageType[];
  units: readonly TextUnit[];
  changed: ReadonlySet<string>;
}

/** Returns the errors of the changed texts, by the rules for setting them. */
async function mistakesIn(
  ctx: Context,
  organizationId: string | undefined,
  { language, types, units, changed }: Checked,
): Promise<Problem[]> {
  const own = await ownHosts(ctx, organizationId);
  const ofMessages = types.flatMap((type) => {
    const { own: fields, inherited } = messageFields(ofType(units, type));
    return lintMessageText(type, fields, inherited, own).errors.map(({ field, message, ...rest }): Problem => {
      const unit = `message.${type}.${field}`;
      return { ...rest, field: unit, message: `${unit}: ${message}` };
    });
  });
  const known = pageTextsOf(await baseOf(ctx, language));
  const ofPages = units.flatMap(({ id, of, own: text }): Problem[] => {
    const word = "word" in of && changed.has(id) ? known.get(of.word) : undefined;
    const error = word && text !== undefined && checkPageText(word, text, own);
    if (!error) return [];
    const { fault, message, position, limit } = error;
    return [{ id: `login_text.${fault}`, field: id, message: `${id}: ${message}`, position, limit }];
  });
  return [...ofMessages, ...ofPages];
}

const ofType = (units: readonly TextUnit[], type: MessageType) =>
  units.filter(({ of }) => "type" in of && of.type === type);

const textOf = (units: readonly TextUnit[], type: MessageType | undefined): OwnText =>
  type === undefined ? wordsIn(units) : setFields(messageFields(ofType(units, type)).own);

function wordsIn(units: readonly TextUnit[]): Record<string, string> {
  const entries = units.flatMap(({ of, own }) => ("word" in of && own !== undefined ? [[of.word, own] as const] : []));
  return Object.fromEntries(entries);
}

interface Written {
  /** Organization id or instance id. */
  ownerId: string;
  language: Language;
  types: readonly MessageType[];
  before: readonly TextUnit[];
  /** The texts in force. */
  live: readonly TextUnit[];
  after: readonly TextUnit[];
  /** Whether it waits for approval, so that drafts became part of it. */
  isDraft: boolean;
  /** Whether all changes of the author do. */
  isProposal: boolean;
}

/** Writes all texts in one transaction, in which they must still equal the texts that the file was checked against. */
async function write(ctx: OriginContext, wanted: Written) {
  const { ownerId, language, types, before, live, after, isDraft, isProposal } = wanted;
  const hasPages = !isSameText(textOf(before, undefined), textOf(after, undefined));
  return changeDirectory(ctx, async (ctx): Promise<ApiError | undefined> => {
    if ((isProposal || (await needsApproval(ctx.tx, ownerId))) !== isDraft) return overtaken();
    for (const type of [...types, ...(hasPages ? [undefined] : [])]) {
      const text: LevelText = { ownerId, type, language };
      await lockLevelText(ctx, text);
      const known = new Set(
        live.map(({ of }) => ("type" in of ? of.type === type && of.field : type === undefined && of.word)),
      );
      const stored = Object.entries(await readOwnText(ctx.tx, text)).filter(([name]) => known.has(name));
      if (!isSameText(Object.fromEntries(stored), textOf(live, type))) return overtaken();
      const saved = await saveLocked(ctx, text, textOf(after, type), { isProposal });
      if (isApiError(saved)) return saved;
    }
    return undefined;
  });
}

const overtaken = (): ApiError =>
  aborted("request.overtaken", "A text was changed at the same time. Import the file again.");
