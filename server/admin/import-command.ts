/** The command `import` of the operator's tool: its options and the report that it prints. */
import { readFileSync, writeFileSync } from "node:fs";
import type { Context } from "../context";
import { firebaseScrypt } from "../directory/user/imported-hash";
import { type ImportReport, importExport } from "./import/import-export";
import { EXPORT_SOURCES } from "./import/read-export";
import type { Output } from "./output";

/** The options of the command, as `parseArgs` reads them. */
export const IMPORT_OPTIONS = {
  "dry-run": { type: "boolean" },
  organization: { type: "string" },
  "allow-weak-hashes": { type: "boolean" },
  "firebase-config": { type: "string" },
  "passkey-domain": { type: "string" },
  "password-hook": { type: "boolean" },
  report: { type: "string" },
} as const;

export type ImportWords = {
  "dry-run"?: boolean;
  organization?: string;
  "allow-weak-hashes"?: boolean;
  "firebase-config"?: string;
  "passkey-domain"?: string;
  "password-hook"?: boolean;
  report?: string;
};

/** Lines of the report that are printed; all of them are in the file of `--report`. */
const MAX_PRINTED = 50;

export async function importFile(
  ctx: Context,
  [sourceName = "", path = ""]: readonly string[],
  words: ImportWords,
  { out }: Output,
): Promise<void> {
  const source = Object.hasOwn(EXPORT_SOURCES, sourceName) ? EXPORT_SOURCES[sourceName] : undefined;
  if (!source) throw new Error(`the source is one of ${Object.keys(EXPORT_SOURCES).join(", ")}`);
  const dryRun = words["dry-run"] ?? false;
  const options = {
    dryRun,
    organization: words.organization,
    passkeyDomain: words["passkey-domain"],
    asksElsewhere: words["password-hook"],
    hashes: {
      allowWeakHashes: words["allow-weak-hashes"],
      firebaseScrypt: words["firebase-config"] === undefined ? undefined : readFirebaseConfig(words["firebase-config"]),
    },
  };
  const report = await importExport(ctx, source, path, options, out);
  const lines = describeImport(report, dryRun);
  for (const line of lines.slice(0, MAX_PRINTED)) out(line);
  const rest = lines.length - MAX_PRINTED;
  if (rest > 0) out(`… and ${rest} more lines: ${words.report === undefined ? "add --report <file>" : words.report}`);
  if (words.report !== undefined) writeFileSync(words.report, `${lines.join("\n")}\n`, { mode: 0o600 });
}

function describeImport({ survey, users, created, updated, ...report }: ImportReport, dryRun: boolean): string[] {
  const done = dryRun ? "would be imported" : "imported";
  const grants = dryRun ? survey.userGrants : report.userGrants;
  return [
    `${dryRun ? "dry run, nothing was changed; " : ""}users: ${users.created} ${done}, ${users.known} existed already, ${users.refused} refused`,
    ...(report.authenticatorApps > 0 ? [`authenticator apps: ${report.authenticatorApps} ${done}`] : []),
    ...(report.links > 0 ? [`links to identity providers: ${report.links} ${done}`] : []),
    ...(report.passkeys > 0 ? [`passkeys: ${report.passkeys} ${done}`] : []),
    ...(grants > 0 ? [`roles of users in projects: ${grants}`] : []),
    ...(report.members > 0 ? [`managers of organizations: ${report.members}`] : []),
    ...created.map((name) => `${dryRun ? "would create" : "created"} ${name}`),
    ...updated.map((name) => `${dryRun ? "would change" : "changed"} ${name}`),
    ...[...survey.lost].map(([what, times]) => `not imported: ${times > 1 ? `${times} × ` : ""}${what}`),
    ...report.refused.map((line) => `refused: ${line}`),
    ...report.warnings.map((line) => `warning: ${line}`),
  ];
}

/** Reads the parameters of a Firebase project as its console shows them, `hash_config { … }`, or as JSON. */
function readFirebaseConfig(path: string) {
  const text = readFileSync(path, "utf8");
  const member = (name: string) => new RegExp(`"?${name}"?\\s*:\\s*"?([\\w+/=-]+)`).exec(text)?.[1];
  const parsed = firebaseScrypt.safeParse({
    signerKey: member("base64_signer_key"),
    saltSeparator: member("base64_salt_separator"),
    rounds: Number(member("rounds")),
    memoryCost: Number(member("mem_cost")),
  });
  if (parsed.success) return parsed.data;
  throw new Error(`${path} needs base64_signer_key, base64_salt_separator, rounds and mem_cost`);
}
