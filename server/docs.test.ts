/** The documents of the repository say what is there: paths, links and the picture of the modules. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { describe, expect, it } from "vitest";
import { moduleDiagram, withDiagram } from "./testing/diagram";
import { projectFolder, repositorySources } from "./testing/repository";

const folders = ["", "docs/", "docs/decisions/", ".github/"];
const documents = folders.flatMap((folder) =>
  readdirSync(projectFolder + folder)
    .filter((name) => name.endsWith(".md"))
    .map((name) => folder + name),
);
const read = (path: string): string => readFileSync(projectFolder + path, "utf8");

/** Paths in backticks that begin with a folder of the repository; patterns (`*`, `<tag>`, `NNNN`) are no paths. */
const PATH = /`((?:server|components|messages|app|prisma|proto|scripts|docs|e2e|bench|\.github|\.ci)\/[\w./[\]-]*)`/g;
const LINK = /\]\((?!https?:|#)([^)#\s]+)/g;

/** Each path or link of a document that leads nowhere, as one line. */
function deadEnds(document: string, text: string): string[] {
  const named = [...text.matchAll(PATH)].map(([, path = ""]) => path);
  const linked = [...text.matchAll(LINK)].map(([, path = ""]) => posix.join(posix.dirname(document), path));
  return [...named, ...linked]
    .filter((path) => !existsSync(projectFolder + path))
    .map((path) => `${document}: ${path}`);
}

describe("the documents", () => {
  it("name only files and folders that exist", () => {
    expect(documents).toContain("docs/first-change.md");
    expect(documents.flatMap((document) => deadEnds(document, read(document)))).toEqual([]);
  });

  it("would not get away with a path or a link that leads nowhere", () => {
    expect(
      deadEnds("docs/x.md", "`server/nowhere.ts` [a](gone.md) [b](../README.md#here) `server/docs.test.ts`"),
    ).toEqual(["docs/x.md: server/nowhere.ts", "docs/x.md: docs/gone.md"]);
  });

  it("name the libraries in the versions that the tests run", () => {
    const { dependencies, devDependencies } = JSON.parse(read("package.json"));
    const pinned: Record<string, string> = { ...dependencies, ...devDependencies };
    const named = [...read("docs/clients.md").matchAll(/^\| ((?:@[\w-]+\/)?[\w-]+) (\d+\.\d+\.\d+)/gm)];
    const ours = named.filter(([, name = ""]) => name in pinned).map(([, name = "", version]) => [name, version]);
    expect(ours.length).toBeGreaterThan(6);
    expect(ours).toEqual(ours.map(([name = ""]) => [name, pinned[name]]));
  });

  it("list every decision", () => {
    const decisions = readdirSync(`${projectFolder}docs/decisions`).filter((name) => name !== "README.md");
    const index = read("docs/decisions/README.md");
    expect(decisions.filter((name) => !index.includes(`](${name})`))).toEqual([]);
    for (const name of decisions) {
      const headings = [...read(`docs/decisions/${name}`).matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);
      expect([name, ...headings]).toEqual([name, "Context", "Decision", "Consequences"]);
    }
  });
});

describe("the picture of the modules", () => {
  it("is current; `npm run architecture` draws it anew", () => {
    const document = read("docs/architecture.md");
    expect(document).toBe(withDiagram(document, moduleDiagram(repositorySources())));
  });

  it("has an arrow for each nearest step, and none for tests or for what is reached by way of another", () => {
    const diagram = moduleDiagram(
      new Map([
        ["server/oidc/token.ts", 'import { a } from "../storage/a";\nimport { b } from "../crypto/b";\n'],
        ["server/storage/a.ts", 'import { b } from "../crypto/b";\n'],
        ["server/crypto/b.ts", ""],
        ["server/crypto/b.test.ts", 'import { a } from "../storage/a";\n'],
      ]),
    );
    expect(diagram.split("\n").filter((line) => line.includes("-->"))).toEqual([
      "  oidc --> storage",
      "  storage --> crypto",
    ]);
  });
});
