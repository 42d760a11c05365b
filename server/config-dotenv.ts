/** Reads `.env`. Node's own reader skips what it does not understand; here it is a problem like any other (rule CONFIG-1). */
import { readFileSync } from "node:fs";
import { parseEnv } from "node:util";
import type { ConfigProblem } from "./config-environment";

/** As process.env, whose own type requires NODE_ENV if Next's types are loaded. */
export type Variables = Record<string, string | undefined>;

/** Empty values count as not given. */
export function withoutEmpty(env: Variables): Variables {
  return Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ""));
}

/** What the file sets; nothing where there is none. */
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
    // Not what stands there: it may be the rest of a secret.
    const reason = "has no NAME=value; remove it, or make it a comment with #";
    return lines.map((line) => ({ name: `${path}:${line}`, reason }));
  }
  return withoutEmpty(parseEnv(text) as Variables);
}

/** The numbers of the lines that Node's reader of `.env` skips without a word, though they are no comments. */
function linesWithoutSetting(text: string): number[] {
  const lines: number[] = [];
  // A setting, whose quoted value may have several lines; else the line alone.
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

/** Why a file cannot be read or written, in words. */
export function readableReason(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  if (code === "ENOENT") return "there is no such file";
  if (code === "EACCES") return "no permission to read it";
  if (code === "EROFS") return "it is read-only";
  if (code === "EISDIR") return "it is a folder";
  return code ?? "unknown reason";
}
