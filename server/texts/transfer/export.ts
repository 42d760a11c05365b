/** Exports all texts of a level in one language as a file for translators, with the texts of a source language. */
import { mailMessages } from "../../../messages/mail";
import type { Context } from "../../context";
import type { Language } from "../../directory/policy/languages";
import { isShortMessage, type MessageField } from "../message-text";
import { writeJson } from "./json";
import { isTranslated, listTextUnits, type TextUnit, type UnitOf, unitText } from "./units";
import { writeXliff } from "./xliff";

export const TRANSFER_FORMATS = ["xliff", "json"] as const;
export type TransferFormat = (typeof TRANSFER_FORMATS)[number];

export interface ExportWanted {
  /** Undefined: the instance's texts. */
  organizationId: string | undefined;
  language: Language;
  /** The source language of the translation. */
  source: Language;
  format: TransferFormat;
}

export async function exportTranslations(ctx: Context, wanted: ExportWanted): Promise<string> {
  const { organizationId, language, source, format } = wanted;
  const units = await listTextUnits(ctx, organizationId, language);
  if (format === "json")
    return writeJson(
      language,
      units.map((unit) => ({ id: unit.id, target: unitText(unit) })),
    );
  const sources = new Map((await listTextUnits(ctx, organizationId, source)).map((unit) => [unit.id, unitText(unit)]));
  return writeXliff({
    sourceLanguage: source,
    targetLanguage: language,
    units: units.map((unit) => {
      const source = sources.get(unit.id) ?? "";
      return { id: unit.id, source, target: isTranslated(unit) ? unitText(unit) : undefined, note: noteOf(unit) };
    }),
  });
}

/** Returns where the text is used, and its constraints, as a note for the translator. */
function noteOf({ of, limit, variables }: TextUnit): string {
  const names = variables.map((name) => `{{.${name}}}`).join(" ");
  return `${placeOf(of)} At most ${limit} characters.${names ? ` Variables: ${names}` : ""}`;
}

const FIELD_NAMES: Readonly<Record<MessageField, string>> = {
  title: "headline",
  preHeader: "preview line in the inbox",
  subject: "subject",
  greeting: "greeting",
  text: "text",
  buttonText: "button",
  footerText: "footer",
};

/** Returns the place of a text in English, the language of instructions for translators. */
function placeOf(of: UnitOf): string {
  if ("word" in of) return `Page text “${of.word}”.`;
  const { name, about } = mailMessages.en[of.type];
  const kind = isShortMessage(of.type) ? "Text message" : "Email";
  return `${kind} “${name}”, ${FIELD_NAMES[of.field]}. ${about}`;
}
