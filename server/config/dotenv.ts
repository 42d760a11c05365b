/** Reads `.env`. Node's own reader skips lines that it does not understand; here they are reported (rule CONFIG-1). */
import { readFileSync } from "node:fs";
import { parseEnv } from "node:util";
import type { ConfigProblem } from "./environment";

/** Environment variables. The type of process.env requires NODE_ENV if Next's types are loaded. */
export type Variables = Record<string, string | undefined>;

/** Returns the variables without empty ones, which count as not given. */
export function withoutEmpty(env: Variables): Variables {
  return Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ""));
}

/** Returns the variables of the file; none if it does not exist. */
export function readDotEnv(path: string): Variables | ConfigProblem[] {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return {};
    return [{ name: path, reason: `cannot be read: ${readableReason(error)}` }];
  }
  const lines = linesWithoutSetting(text);
  if (lines.length > 0) {
    // The content of the line is not repeated, because it may be the rest of a secret.
    const reason = "has no NAME=value; remove it, or make it a comment with #";
    return lines.map((line) => ({ name: `${path}:${line}`, reason }));
  }
  return withoutEmpty(parseEnv(text) as Variables);
}

/** Returns the numbers of the lines that Node's reader of `.env` silently skips although they are not comments. */
function linesWithoutSetting(text: string): number[] {
  const lines: number[] = [];
  // A setting, whose quoted value may have several lines; otherwise a single line.
  const next =
    /[^\S\n]*(?:export[^\S\n]+)?[^\s=#][^=\n]*=[^\S\n]*(?:(["'`])[\s\S]*?\1)?[^\n]*(?:\n|$)|([^\n]*)(?:\n|$)/y;
  for (let line = 1; next.lastIndex < text.length; ) {
    const [whole, , other] = next.exec(text) ?? [""];
    const rest = other?.trim();
    if (rest && !rest.startsWith("#")) lines.push(line);
    line += whole.split("\n").length - 1;
  }
  return lines;
}

/** Returns a readable reason why a file cannot be read or written. */
export function readableReason(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  if (code === "ENOENT") return "there is no such file";
  if (code === "EACCES") return "no permission to read it";
  if (code === "EROFS") return "it is read-only";
  if (code === "EISDIR") return "it is a folder";
  return code ?? "unknown reason";
}
