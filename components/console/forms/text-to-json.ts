// Converts the text of a control to the value that operations expect.

export interface Conversion {
  /** The type of the input element. */
  type?: string;
  as?: "seconds" | "nullable" | "words";
  /** Whether the text is sent even if it is empty. */
  keepsEmpty?: boolean;
}

/** Returns the value; undefined if it is not sent, so that the operation's default applies. */
export function textToJson(text: string, { type, as, keepsEmpty }: Conversion): unknown {
  if (text === "") return as === "nullable" ? null : keepsEmpty ? "" : undefined;
  if (as === "words") return text.trim().split(/\s+/);
  // Durations have the format of the JSON of Protocol Buffers, for example `3600s`.
  if (type === "number") return as === "seconds" ? `${Number(text)}s` : Number(text);
  // A day starts in the reader's time zone, in which it is displayed later; without a time, it would be parsed as UTC.
  if (type === "date") return new Date(`${text}T00:00`).toISOString();
  return type === "datetime-local" ? new Date(text).toISOString() : text;
}

export const linesIn = (text: string): string[] =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);
