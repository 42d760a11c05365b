// node scripts/database-clients.mjs: generates the clients of both databases from the models, as `prisma generate`
// does, but with its generator alone, without the command, its studio and its engines. Also generates the types of
// tables and columns for hand-written statements (server/storage/statement.ts).
import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { inProject, root } from "./environment.mjs";

const require = createRequire(import.meta.url); // their ES modules import files that do not exist
const { getDMMF, getGenerators, loadSchemaContext } = require("@prisma/internals");
const { PrismaClientTsGenerator } = require("@prisma/client-generator-ts");

/** The types of ordinary columns. */
const TYPES = { Boolean: "boolean", Bytes: "Uint8Array", Float: "number", Int: "number", String: "string" };

const registry = { "prisma-client": { type: "in-process", generator: new PrismaClientTsGenerator() } };
for (const database of ["sqlite", "postgresql"]) {
  const schemaPath = { cliProvidedPath: `prisma/${database}` };
  const schemaContext = await loadSchemaContext({ schemaPath, cwd: root, printLoadMessage: false });
  for (const generator of await getGenerators({ schemaContext, registry })) await generator.generate();
  if (database === "sqlite") await generateTables(schemaContext.schemaFiles);
}

async function generateTables(datamodel) {
  const { models } = (await getDMMF({ datamodel })).datamodel;
  const columns = models.map(({ name, fields }) => [name, fields.filter(({ kind }) => kind === "scalar")]);
  const types = columns.map(([table, fields]) => `  ${table}: {\n${fields.map(columnType).join("")}  };\n`);
  const kinds = columns.map(([table, fields]) => [table, Object.fromEntries(fields.map((f) => [f.name, kindOf(f)]))]);
  const lines = [
    "// Generated from prisma/models.prisma by scripts/database-clients.mjs.",
    'import type { Defaulted, JsonColumn, TimeColumn } from "../columns";',
    `\nexport interface Tables {\n${types.join("")}}`,
    "\n/** How a value is converted on its way to and from the database. */",
    'export type ColumnKind = "plain" | "time" | "boolean" | "json";',
    "\n/** The columns of each table. */",
    `export const COLUMNS: Record<string, Record<string, ColumnKind>> = ${JSON.stringify(Object.fromEntries(kinds))};\n`,
  ];
  writeFileSync(inProject("server/storage/generated/tables.ts"), lines.join("\n"));
}

function kindOf({ type }) {
  return { DateTime: "time", Boolean: "boolean", Json: "json" }[type] ?? "plain";
}

function columnType({ name, type, isRequired, hasDefaultValue }) {
  const orNull = isRequired ? "" : " | null";
  const isOptional = hasDefaultValue || !isRequired;
  if (type === "DateTime" || type === "Json") {
    const column = type === "DateTime" ? "TimeColumn" : "JsonColumn";
    const without = [...(isRequired ? [] : ["null"]), ...(isOptional ? ["undefined"] : [])].join(" | ");
    return `    ${name}: ${column}${without && `<${without}>`};\n`;
  }
  if (!TYPES[type]) throw new Error(`no type of TypeScript for columns of the type ${type}: ${name}`);
  const value = `${TYPES[type]}${orNull}`;
  return `    ${name}: ${isOptional ? `Defaulted<${value}>` : value};\n`;
}
