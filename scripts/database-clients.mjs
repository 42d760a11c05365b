// node scripts/database-clients.mjs: generates the clients of both databases from the models, as `prisma generate`
// does, but with its generator alone, without the command, its studio and its engines.
import { createRequire } from "node:module";
import { root } from "./environment.mjs";

const require = createRequire(import.meta.url); // their ES modules import files that do not exist
const { getGenerators, loadSchemaContext } = require("@prisma/internals");
const { PrismaClientTsGenerator } = require("@prisma/client-generator-ts");

const registry = { "prisma-client": { type: "in-process", generator: new PrismaClientTsGenerator() } };
for (const database of ["sqlite", "postgresql"]) {
  const schemaPath = { cliProvidedPath: `prisma/${database}` };
  const schemaContext = await loadSchemaContext({ schemaPath, cwd: root, printLoadMessage: false });
  for (const generator of await getGenerators({ schemaContext, registry })) await generator.generate();
}
