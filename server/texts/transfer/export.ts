/** Exports all texts of a level in one language as a file for translators, with the texts of a source language. */
import type { Context } from "../../context";
import type { Language } from "../../directory/policy/languages";
import { writeJson } from "./json";
import { listTextUnits, type TextUnit, unitText } from "./units";
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
      return { id: unit.id, source: sources.get(unit.id) ?? "", target: unitText(unit), note: noteOf(unit) };
    }),
  });
}

/** Returns the constraints as a note for the translator. */
function noteOf({ limit, variables }: TextUnit): string {
  const names = variables.map((name) => `{{.${name}}}`).join(" ");
  return `At most ${limit} characters.${names ? ` Variables: ${names}` : ""}`;
}
