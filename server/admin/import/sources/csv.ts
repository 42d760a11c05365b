/** Reads users in CSV: the columns of the console's import, ids, secrets of authenticator apps, and metadata. */
import { USER_COLUMNS, userOfRow } from "../../../../shared/user-columns";
import { asObject, type Exported, type ExportSource, trimmedText, withoutUndefined } from "./found";
import type { JsonPart } from "./json-parts";

const OWN = ["userId", "totpSecret", "isPhoneVerified", "passwordChangeRequired", "isActive"];
const METADATA = "metadata.";

export const isCsvColumn = (name: string): boolean =>
  name in USER_COLUMNS || OWN.includes(name) || name.startsWith(METADATA);

export const CSV_COLUMNS: readonly string[] = [...Object.keys(USER_COLUMNS), ...OWN, `${METADATA}<key>`];

const isTrue = (value: unknown) => trimmedText(value)?.toLowerCase() === "true";

export const csv: ExportSource = {
  name: "CSV",
  needsOrganization: true,
  isRecognized: () => true,
  *read({ value, line }: JsonPart): Iterable<Exported> {
    const cells = asObject(value) as Record<string, string>;
    const known = Object.keys(cells).filter((name) => name in USER_COLUMNS);
    const user = userOfRow(
      known,
      known.map((name) => cells[name] ?? ""),
    );
    const phone = asObject(user.phone);
    const row = withoutUndefined({
      ...user,
      userId: trimmedText(cells.userId),
      phone: user.phone && withoutUndefined({ ...phone, isPhoneVerified: isTrue(cells.isPhoneVerified) || undefined }),
      passwordChangeRequired: isTrue(cells.passwordChangeRequired) || undefined,
    });
    const metadata = Object.entries(cells).flatMap(([name, text]) =>
      name.startsWith(METADATA) && trimmedText(text) ? [[name.slice(METADATA.length), text]] : [],
    );
    const isInactive = trimmedText(cells.isActive)?.toLowerCase() === "false";
    yield {
      kind: "user",
      row,
      isInactive,
      totp: trimmedText(cells.totpSecret),
      metadata: Object.fromEntries(metadata),
      line,
    };
  },
};
