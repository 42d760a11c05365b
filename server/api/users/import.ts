/** Imports many users; the response reports each row that cannot be imported. */
import { z } from "zod";
import { mapInSlices } from "../../concurrency/pauses";
import { withFirebaseScrypt } from "../../crypto/foreign-hash";
import * as field from "../../directory/fields";
import { type ImportedPerson, importPeople } from "../../directory/user/import";
import { firebaseScrypt, refuseWeakHash } from "../../directory/user/imported-hash";
import { type ApiError, invalidArgument, isApiError } from "../../protocol/api-error";
import { type InputIssue, inputIssues, wordIssue } from "../../protocol/input-issues";
import { issue, reason, sentenceOf } from "../../protocol/reason";
import { type Operation, operation } from "../operation/operation";
import { rowError, toRowError } from "./bulk";
import { emailBody, hashedPassword, humanShape, toPerson } from "./schemas";

const MAX_ROWS = 10_000;
/** Bytes, about four hundred for each row. */
const MAX_BODY_BYTES = 4 * 1024 * 1024;

const row = field.strict({
  ...humanShape,
  hashedPassword: hashedPassword.optional(),
  passwordChangeRequired: z.boolean().optional(),
});

/** The options of an import about the hashes of all rows. */
const hashOptions = {
  allowWeakHashes: z.boolean().optional(),
  firebaseScrypt: firebaseScrypt.optional(),
};
export type HashOptions = z.output<z.ZodObject<typeof hashOptions>>;

/** The first mistake in a row, with those after it. */
interface InvalidRow extends ApiError {
  further: readonly ApiError[];
}

/** Other systems have users without an address. */
const rowOfTool = field.strict({ ...row.shape, email: emailBody.optional() });

/**
 * The rows in the form that the directory stores, or the mistakes in each.
 * @param shape of a row; the operator's tool accepts users without an email address
 */
export function readImportRows(
  given: readonly unknown[],
  options: HashOptions,
  shape: typeof row | typeof rowOfTool = rowOfTool,
): Promise<(ImportedPerson | InvalidRow)[]> {
  const checked = shape.superRefine((human, issues) =>
    refuseWeakHash(human.hashedPassword?.value, options, issues, ["hashedPassword", "value"]),
  );
  return mapInSlices(given, (one) => readRow(checked, one, options));
}

function readRow(
  checked: typeof row | typeof rowOfTool,
  given: unknown,
  options: HashOptions,
): ImportedPerson | InvalidRow {
  const parsed = checked.safeParse(completeHash(given, options), { error: wordIssue });
  if (!parsed.success) {
    const [first = mistakeOf({ path: "", reason: reason("not_valid") }), ...further] = inputIssues(parsed.error).map(
      mistakeOf,
    );
    return { ...first, further };
  }
  const { userId: id, hashedPassword: hash, passwordChangeRequired, ...human } = parsed.data;
  return { ...toPerson(human), id, passwordHash: hash?.value, passwordChangeRequired };
}

/** The row, whose Firebase hash has the parameters of the import. */
function completeHash(given: unknown, { firebaseScrypt: parameters }: HashOptions): unknown {
  const { hashedPassword: hashed } = (given ?? {}) as { hashedPassword?: { value?: unknown } };
  if (!parameters || typeof hashed?.value !== "string") return given;
  const value = withFirebaseScrypt(hashed.value, parameters);
  return { ...(given as object), hashedPassword: { ...hashed, value } };
}

function mistakeOf(issue: InputIssue): ApiError {
  const message = `${issue.path || "The row"} ${sentenceOf(issue.reason)}`;
  return invalidArgument("request.invalid", message, { field: issue.path || undefined, reason: issue.reason });
}

/** Every mistake in a row, in the caller's language. */
function mistakesIn(refused: ApiError, language: string) {
  const { further = [] } = refused as Partial<InvalidRow>;
  const errors = [refused, ...further].map((mistake) => toRowError(mistake, language));
  return { error: errors[0], errors };
}

function nameIn(given: unknown): string {
  const { userName } = (given ?? {}) as { userName?: unknown };
  return typeof userName === "string" ? userName.slice(0, field.MAX_NAME_LENGTH) : "";
}

export const userImportOperations: readonly Operation[] = [
  operation("BulkImportHumanUsers", "POST /management/v1/users/_bulk_import", {
    tag: "Users",
    summary: "Import many users without sending emails",
    description: `At most ${MAX_ROWS} at once. A dry run reports what would be done with each row and changes nothing.`,
    scope: { level: "organization", permission: "user.write", target: "nobody" },
    effort: "heavy",
    maxBodyBytes: MAX_BODY_BYTES,
    body: field.strict({
      dryRun: z.boolean().optional(),
      mode: z
        .enum(["ALL_OR_NOTHING", "EACH_BY_ITSELF"])
        .optional()
        .meta({ description: "ALL_OR_NOTHING by default: no one is added unless everyone can be" }),
      ...hashOptions,
      users: z
        .array(z.unknown())
        .min(1, { error: issue("one_user") })
        .max(MAX_ROWS)
        .meta({
          description: "As in ImportHumanUser, without plain-text passwords",
        }),
    }),
    answer: z.object({
      dryRun: z.boolean(),
      created: z.int().meta({ description: "In a dry run: how many would be added" }),
      refused: z.int(),
      results: z.array(
        z.object({
          index: z.int(),
          userName: z.string(),
          userId: z.string().optional().meta({ description: "The new user, if one was added" }),
          error: rowError.optional(),
          errors: z.array(rowError).optional().meta({ description: "All mistakes of the row, `error` first" }),
        }),
      ),
    }),
    async handle(ctx, { body, organizationId, language }) {
      const { dryRun = false, mode = "ALL_OR_NOTHING", users, ...options } = body;
      const how = { dryRun, eachByItself: mode === "EACH_BY_ITSELF" };
      const outcome = await importPeople(ctx, organizationId, await readImportRows(users, options, row), how);
      if (isApiError(outcome)) return outcome;
      const refused = outcome.filter(isApiError).length;
      const created = refused > 0 && !how.eachByItself ? 0 : outcome.length - refused;
      const isDone = created > 0 && !dryRun;
      const results = await mapInSlices(outcome, (result, index) => {
        const what = isApiError(result) ? mistakesIn(result, language) : isDone && { userId: result.id };
        return { index, userName: nameIn(users[index]), ...what };
      });
      return { dryRun, created, refused, results };
    },
  }),
];
