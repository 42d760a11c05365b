// Draws the modules of docs/architecture.md anew from the imports: `npm run architecture`. A test fails while the
// picture is out of date.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));
const { outputFiles } = await build({
  stdin: {
    contents:
      'export * from "./server/testing/diagram";\nexport { repositorySources } from "./server/testing/repository";\n',
    resolveDir: root,
    loader: "ts",
  },
  bundle: true,
  platform: "node",
  format: "esm",
  write: false,
  // Where the project is, is known from the place of the source, which the bundle has left.
  define: { "import.meta.url": JSON.stringify(pathToFileURL(join(root, "server/testing/repository.ts")).href) },
});
const { moduleDiagram, repositorySources, withDiagram } = await import(
  `data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`
);
const document = join(root, "docs/architecture.md");
writeFileSync(document, withDiagram(readFileSync(document, "utf8"), moduleDiagram(repositorySources())));
