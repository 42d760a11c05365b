// npm run architecture: draws the diagram of the modules in docs/architecture.md from the imports. A test fails if the
// diagram is out of date.
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
  // The sources find the project by the place of their own file, which the bundle changes.
  define: { "import.meta.url": JSON.stringify(pathToFileURL(join(root, "server/testing/repository.ts")).href) },
});
const { moduleDiagram, repositorySources, withDiagram } = await import(
  `data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`
);
const document = join(root, "docs/architecture.md");
writeFileSync(document, withDiagram(readFileSync(document, "utf8"), moduleDiagram(repositorySources())));
