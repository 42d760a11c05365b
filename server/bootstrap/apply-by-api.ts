/** Applies a bootstrap file that was sent to the running service; its mistakes are returned as an error. */
import type { Context } from "../context";
import { type ApiError, alreadyExists, invalidArgument } from "../protocol/api-error";
import { isUniqueViolation } from "../storage/engine/violations";
import { type ApplyOptions, applyParsed } from "./apply";
import { findContradictions } from "./contradictions";
import { BootstrapMistakes, mistakeProblem } from "./mistakes";
import type { BootstrapReport } from "./run";
import type { BootstrapFile } from "./schema";

/** Applies a file without secrets, all or nothing; the error names every mistake with its path in the file. */
export async function applyByApi(
  ctx: Context,
  file: BootstrapFile,
  options: Pick<ApplyOptions, "origin" | "dryRun">,
): Promise<BootstrapReport | ApiError> {
  try {
    const contradictions = findContradictions(file);
    if (contradictions.length > 0) throw new BootstrapMistakes(contradictions);
    return await applyParsed(ctx, file, { ...options, secretsMayBeMissing: true, textsMayNeedApproval: true });
  } catch (error) {
    if (isUniqueViolation(error)) {
      return alreadyExists(
        "apply.conflict",
        "The file names an ID that belongs to something else already. Change it in the file.",
      );
    }
    if (!(error instanceof BootstrapMistakes)) throw error;
    const problems = error.mistakes.map(mistakeProblem);
    const [first] = problems;
    return invalidArgument("apply.mistake", first?.message ?? "The file is not valid.", {
      field: first?.field,
      problems,
    });
  }
}
