/**
 * Applies what an export contains besides users, as a bootstrap file. An entry that cannot be applied is left out with
 * all its parts and reported, so that one odd app does not keep everything else from being imported.
 */
import { type ApplyOptions, applyBootstrap } from "../../bootstrap/apply";
import { BootstrapMistakes, describeMistake, type Mistake } from "../../bootstrap/mistakes";
import type { BootstrapReport } from "../../bootstrap/run";
import type { Context } from "../../context";
import type { Origin } from "../../events/record";
import type { Survey, SurveyedOrganization } from "./survey";

export const IMPORT_ORIGIN: Origin = { actor: "operator" };

/** A bootstrap file before it is checked. */
export interface DraftFile {
  organizations: Record<string, unknown>[];
}

export interface AppliedDraft extends BootstrapReport {
  /** The entries that were left out, with the reasons. */
  refused: string[];
}

/** Each attempt leaves out at least one entry. */
const MAX_ATTEMPTS = 200;

export async function applyDraft(
  ctx: Context,
  draft: DraftFile,
  { dryRun }: Pick<ApplyOptions, "dryRun">,
): Promise<AppliedDraft> {
  const refused: string[] = [];
  for (let attempt = 1; ; attempt++) {
    try {
      const how = { origin: IMPORT_ORIGIN, secretsMayBeMissing: true, dryRun };
      return { ...(await applyBootstrap(ctx, structuredClone(draft), how)), refused };
    } catch (error) {
      if (!(error instanceof BootstrapMistakes) || attempt === MAX_ATTEMPTS) throw error;
      const left = leaveOut(draft, error.mistakes);
      if (left.length === 0) throw error;
      refused.push(...left);
    }
  }
}

const LISTS = "identityProviders|domains|machines|messageTexts|loginTexts|projects|roles|apps|grants|userGrants|users";
const ENTRY = new RegExp(`^organizations\\[\\d+\\](?:\\.(?:${LISTS})\\[\\d+\\])+`);

/** Removes the innermost entries with mistakes. @returns their descriptions */
function leaveOut(draft: DraftFile, mistakes: readonly Mistake[]): string[] {
  const descriptions: string[] = [];
  const removals = new Map<string, () => void>();
  for (const mistake of mistakes) {
    const [path] = ENTRY.exec(mistake.path) ?? [];
    if (path === undefined || removals.has(path)) continue;
    const steps = path.split(/[.[\]]+/).filter((step) => step !== "");
    const list = steps.slice(0, -1).reduce<unknown>((at, step) => (at as Record<string, unknown>)?.[step], draft);
    if (!Array.isArray(list)) continue;
    const entry: unknown = list[Number(steps.at(-1))];
    descriptions.push(`${nameOf(entry)} ${describeMistake(mistake)}`.trim());
    removals.set(path, () => list.splice(list.indexOf(entry), 1));
  }
  for (const remove of removals.values()) remove();
  return descriptions;
}

const nameOf = (entry: unknown) => {
  const { name, userName, roleKey, domain, type, userId } = (entry ?? {}) as Record<string, unknown>;
  const title = [name, userName, roleKey, domain, type, userId].find((one) => typeof one === "string");
  return title === undefined ? "" : `"${title}":`;
};

/** The bootstrap file of everything but users, their roles and grants. */
export function draftOf({ organizations }: Survey): DraftFile {
  return { organizations: [...organizations.values()].map(organizationEntry) };
}

const organizationEntry = ({ entry, lists, projects }: SurveyedOrganization) => ({
  ...entry,
  ...lists,
  projects: projects.map((project) => ({ ...project.entry, ...project.lists })),
});
