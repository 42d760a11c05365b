/**
 * Parses the command line of the operator's tool and runs the command. It starts like the service, with the same
 * configuration and database, and updates the schema, so that it works before the first start and in parallel with a
 * running service.
 */
import { parseArgs } from "node:util";
import { type Config, describeProblem, loadConfig } from "../config/config";
import type { Context } from "../context";
import { openContext } from "../process/boot";
import { applyFile, backUp, listKeys, makeSetupLink, rotateKey } from "./commands";
import { examine } from "./doctor";
import { EXPORT_SOURCES } from "./import/read-export";
import { IMPORT_OPTIONS, type ImportWords, importFile } from "./import-command";
import type { Output } from "./output";

interface Command {
  /** The arguments for the usage text, for instance `<file>`. */
  arguments?: string;
  /** Whether the command takes the options of imports. */
  isImport?: true;
  summary: string;
  help: string;
  /** Runs with the database open. */
  withContext?(ctx: Context, argument: string, output: Output, asked: AskedToRun): Promise<void>;
  /** Runs with the configuration alone; returns the exit status. */
  withConfig?(config: Config, argument: string, output: Output): Promise<number>;
}

const COMMANDS: Readonly<Record<string, Command>> = {
  "setup-link": {
    summary: "make a link that creates an administrator",
    help: "Prints an address where an organization and its administrator are created in the browser. It works once, for an hour.",
    withContext: makeSetupLink,
  },
  apply: {
    arguments: "<file>",
    summary: "apply a bootstrap file",
    help: "Creates what is missing, updates what differs, deletes nothing; all or nothing. A running service sees it within seconds.",
    withContext: applyFile,
  },
  import: {
    arguments: "<source> <file>",
    isImport: true,
    summary: "import users and more from another system",
    help: [
      `The source is one of ${Object.keys(EXPORT_SOURCES).join(", ")}. The file may be compressed (.gz).`,
      "",
      "  --dry-run                  report what would be done, and change nothing",
      "  --organization <id>        the organization of the users, if the file has none",
      "  --allow-weak-hashes        accept password hashes that are unsalted or made by MD5",
      "  --firebase-config <file>   the password hash parameters of the Firebase project",
      "  --password-hook            ask the organization's password hook for passwords that the file does not contain",
      "  --passkey-domain <domain>  the domain of the passkeys, if the file does not contain it",
      "  --report <file>            write every line of the report to a file",
      "",
      "What exists already is kept: repeat an import that was interrupted.",
    ].join("\n"),
    withContext: (ctx, _, output, { given, options }) => importFile(ctx, given, options, output),
  },
  "keys rotate": {
    summary: "let the next keys sign tokens",
    help: "The waiting key of each algorithm signs as soon as every cache of the key set can know it; the old one stays published until its last token has expired.",
    withContext: rotateKey,
  },
  "keys list": {
    summary: "show the keys that sign tokens",
    help: "Key id, algorithm, state and times of every published key. Private parts are never shown.",
    withContext: listKeys,
  },
  backup: {
    arguments: "<file>",
    summary: "copy the embedded database while it is in use",
    help: "Writes one consistent copy to a new file. Keep the secret key apart from it: both are needed to restore.",
    withConfig: backUp,
  },
  doctor: {
    summary: "examine the installation and say what to do",
    help: "Configuration, database, migrations, keys, clock, address. Changes nothing. Exit status 1 if something is wrong.",
    withConfig: examine,
  },
};

/** Runs a command. @returns the exit status: 0 done, 1 failed, 2 wrong usage */
export async function runCommand(words: readonly string[], env: NodeJS.ProcessEnv, output: Output): Promise<number> {
  const asked = readWords(words);
  if (asked.kind === "help") return say(output.out, asked.text, 0);
  if (asked.kind === "wrong") return say(output.err, `${asked.reason}; see npm run admin -- --help`, 2);
  const config = loadConfig(env);
  if (Array.isArray(config)) return say(output.err, config.map(describeProblem).join("\n"), 1);
  try {
    if (asked.command.withConfig) return await asked.command.withConfig(config, asked.argument, output);
    // The tool prints its own output; only errors of the log are relevant.
    const ctx = await openContext({ ...config, logLevel: "error", logFormat: "text" }, process.stderr);
    try {
      await asked.command.withContext?.(ctx, asked.argument, output, asked);
      return 0;
    } finally {
      await ctx.db.close();
    }
  } catch (error) {
    return say(output.err, error instanceof Error ? error.message : String(error), 1);
  }
}

function say(write: (text: string) => void, text: string, status: number): number {
  write(text);
  return status;
}

interface AskedToRun {
  kind: "run";
  command: Command;
  argument: string;
  /** All arguments. */
  given: readonly string[];
  options: ImportWords;
}

type Asked = { kind: "help"; text: string } | { kind: "wrong"; reason: string } | AskedToRun;

function readWords(words: readonly string[]): Asked {
  let parsed: { values: { help?: boolean } & ImportWords; positionals: string[] };
  try {
    const options = { help: { type: "boolean", short: "h" }, ...IMPORT_OPTIONS } as const;
    parsed = parseArgs({ args: [...words], options, allowPositionals: true });
  } catch (error) {
    return { kind: "wrong", reason: (error as Error).message.split(/\. |\n/)[0] ?? "unknown option" };
  }
  const [first = "help", second, ...rest] = parsed.positionals;
  const family = Object.keys(COMMANDS).filter((name) => name === first || name.startsWith(`${first} `));
  if (first === "help") return { kind: "help", text: overview(Object.keys(COMMANDS)) };
  if (family.length === 0) return { kind: "wrong", reason: `there is no command "${first}"` };

  const twoWords = family.length > 1;
  const name = twoWords ? `${first} ${second ?? ""}` : first;
  const command = COMMANDS[name];
  if (!command) {
    if (parsed.values.help) return { kind: "help", text: overview(family) };
    return {
      kind: "wrong",
      reason: `"${first}" needs one of ${family.map((full) => full.slice(first.length + 1)).join(", ")}`,
    };
  }
  if (parsed.values.help) return { kind: "help", text: `${usage(name, command)}\n\n${command.help}` };
  const given = [...(twoWords || second === undefined ? [] : [second]), ...rest];
  const { help: _, ...options } = parsed.values;
  const [option] = Object.keys(options);
  if (option !== undefined && !command.isImport) return { kind: "wrong", reason: `"${name}" takes no --${option}` };
  const wanted = command.arguments?.split(" ").length ?? 0;
  if (given.length > wanted) return { kind: "wrong", reason: `"${name}" takes no "${given[wanted]}"` };
  if (given.length < wanted) return { kind: "wrong", reason: `"${name}" needs ${command.arguments}` };
  return { kind: "run", command, argument: given[0] ?? "", given, options };
}

const usage = (name: string, command: Command) =>
  `npm run admin -- ${[name, command.arguments].filter(Boolean).join(" ")}`;

function overview(names: readonly string[]): string {
  const lines = names.map((name) => {
    const command = COMMANDS[name];
    return `  ${[name, command?.arguments].filter(Boolean).join(" ").padEnd(24)}${command?.summary}`;
  });
  return `Usage: npm run admin -- <command> [--help]\n\n${lines.join("\n")}`;
}
