/** Checks that the documents of the repository only name existing paths, links, settings, rules and modules. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { describe, expect, it } from "vitest";
import { locales } from "../../messages/locales";
import { loadConfig } from "../config/config";
import { environment } from "../config/environment";
import type { SettingWords } from "../config/value-parsers";
import { GLOBAL_PROJECT_ROLES, INSTANCE_ROLES, ORGANIZATION_ROLES, PROJECT_ROLES } from "../directory/member/roles";
import { MESSAGE_TYPES } from "../message-types/table";
import { configurationReference } from "../testing/configuration-reference";
import { moduleDiagram, withDiagram } from "../testing/diagram";
import { projectFolder, repositorySources } from "../testing/repository";
import { opensAccount } from "../texts/variables";

const folders = ["", "docs/", "docs/decisions/", "docs/guide/", ".github/"];
const documents = folders.flatMap((folder) =>
  readdirSync(projectFolder + folder)
    .filter((name) => name.endsWith(".md"))
    .map((name) => folder + name),
);
const read = (path: string): string => readFileSync(projectFolder + path, "utf8");

/** Paths in backticks that begin with a folder of the repository; patterns (`*`, `<tag>`, `NNNN`) are not paths. */
const PATH =
  /`((?:server|components|shared|messages|app|prisma|proto|scripts|deploy|docs|e2e|bench|\.github|\.ci)\/[\w./[\]-]*)`/g;
const LINK = /\]\((?!https?:|#)([^)#\s]+)/g;

/** The tests that a line names: the file, and words of the file. */
const proofs = (line: string): [path: string, words: string][] =>
  [...line.matchAll(/`([\w./-]+\.(?:test|spec)\.tsx?)` "([^"]+)"/g)].map(([, path = "", words = ""]) => [path, words]);

/** The texts in backticks: settings, roles, files. */
const named = (document: string): Set<string> => new Set(read(document).match(/(?<=`)[\w.]+(?=[`=])/g));

/** Each path or link of a document whose target does not exist, as one line. */
function deadEnds(document: string, text: string): string[] {
  const named = [...text.matchAll(PATH)].map(([, path = ""]) => path);
  const linked = [...text.matchAll(LINK)].map(([, path = ""]) => posix.join(posix.dirname(document), path));
  return [...named, ...linked]
    .filter((path) => !existsSync(projectFolder + path))
    .map((path) => `${document}: ${path}`);
}

/** The sizes of files that a text gives: the path, and the lines in brackets. */
const sizes = (text: string): [path: string, lines: number][] =>
  [...text.matchAll(/`([\w./-]+\.tsx?)` \((\d+)\)/g)].map(([, path = "", lines]) => [path, Number(lines)]);

describe("the documents", () => {
  it("name only files and folders that exist", () => {
    expect(documents).toContain("docs/first-change.md");
    expect(documents.flatMap((document) => deadEnds(document, read(document)))).toEqual([]);
  });

  it("would be refused with a path or a link to a missing file", () => {
    expect(
      deadEnds("docs/x.md", "`server/nowhere.ts` [a](gone.md) [b](../README.md#here) `server/rules/docs.test.ts`"),
    ).toEqual(["docs/x.md: server/nowhere.ts", "docs/x.md: docs/gone.md"]);
  });

  it("give the sizes of own code in the decisions within a tenth", () => {
    const given = documents.filter((path) => path.startsWith("docs/decisions/")).flatMap((path) => sizes(read(path)));
    expect(given.length).toBeGreaterThan(5);
    const wrong = given.filter(([path, lines]) => Math.abs(read(path).split("\n").length - 1 - lines) > lines / 10);
    expect(wrong).toEqual([]);
  });

  it("prove each promise of the pages by tests that exist", () => {
    const promises = read("docs/pages.md").match(/^\d+\. .+$/gm) ?? [];
    expect(promises.map((line) => Number.parseInt(line, 10))).toEqual(promises.map((_, index) => index + 1));
    expect(promises.filter((line) => proofs(line).length === 0)).toEqual([]);
    expect(promises.flatMap(proofs).filter(([path, words]) => !read(path).includes(words))).toEqual([]);
  });

  it("name the libraries in the versions that the tests run", () => {
    const { dependencies, devDependencies } = JSON.parse(read("package.json"));
    const pinned: Record<string, string> = { ...dependencies, ...devDependencies };
    const named = [...read("docs/clients.md").matchAll(/^\| ((?:@[\w-]+\/)?[\w-]+) (\d+\.\d+\.\d+(?:-[\w.]+)?)/gm)];
    const ours = named.filter(([, name = ""]) => name in pinned).map(([, name = "", version]) => [name, version]);
    expect(ours.length).toBeGreaterThan(6);
    expect(ours).toEqual(ours.map(([name = ""]) => [name, pinned[name]]));
  });

  it("name every setting, every role, and only commands that exist", () => {
    const settings = Object.keys(environment.shape).filter((name) => !named("docs/configuration.md").has(name));
    const groups = [INSTANCE_ROLES, ORGANIZATION_ROLES, PROJECT_ROLES, GLOBAL_PROJECT_ROLES].flat();
    const roles = groups.filter((name) => !/_VIEWER(_GLOBAL)?$/.test(name) && !named("SECURITY.md").has(name));
    const { scripts } = JSON.parse(read("package.json"));
    const run = documents.flatMap((path) =>
      [...read(path).matchAll(/npm run ([\w:-]+)/g)].map(([, name = ""]) => name),
    );
    const admin = documents.flatMap((path) => [
      ...read(path).matchAll(/npm run admin -- ([a-z-]+(?: list| rotate)?)/g),
    ]);
    expect({
      settings,
      roles,
      run: run.filter((name) => !(name in scripts)),
      admin: admin.map(([, name = ""]) => name).filter((name) => !read("server/admin/run.ts").includes(name)),
    }).toEqual({ settings: [], roles: [], run: [], admin: [] });
  });

  it("describe the configuration as its schema does; `npx vitest run server/rules/docs.test.ts -u` writes it", async () => {
    await expect(configurationReference()).toMatchFileSnapshot(`${projectFolder}docs/configuration.md`);
  });

  it("name the defaults that apply without a setting", () => {
    const base = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:4318" };
    // OpenTelemetry's variables are passed on as they were given, so only their meaning is compared.
    const loaded = (env: Record<string, string>) => {
      const config = loadConfig({ ...base, ...env }, "");
      return Array.isArray(config)
        ? config
        : { ...config, telemetry: { ...config.telemetry, variables: undefined }, secretKeys: undefined };
    };
    const stated = Object.entries(environment.shape).flatMap(([name, schema]) => {
      const value = (schema.meta() as Partial<SettingWords>).default;
      return value === undefined || /[ `$]/.test(value) ? [] : [[name, value] as const];
    });
    expect(stated.length).toBeGreaterThan(25);
    const wrong = stated.filter(([name, value]) => !isDeepStrictEqual(loaded({ [name]: value }), loaded({})));
    expect(wrong).toEqual([]);
  });

  it("count the types of messages and the languages, and name the types without stricter rules", () => {
    const guide = read("docs/guide/texts.md").replaceAll("\n", " ");
    const count = `${MESSAGE_TYPES.length} types of messages, in ${locales.length} languages`;
    for (const text of [guide, read("README.md")]) expect(text).toContain(count);
    const harmless = MESSAGE_TYPES.filter((type) => !opensAccount(type)).map((type) => `\`${type}\``);
    const [, exceptions = ""] = /opens an account \(all but ([^)]*)\)/.exec(guide) ?? [];
    expect(exceptions.split(/, | and /).sort()).toEqual(harmless.sort());
  });

  it("show the configuration of haproxy that deploy contains", () => {
    const shipped = read("deploy/haproxy/haproxy.cfg").replace(/^(#.*\n)+/, "");
    expect(read("docs/operations.md")).toContain(`\`\`\`\n${shipped}\`\`\`\n`);
  });

  it("are all on the map", () => {
    const map = read("docs/README.md");
    const others = documents.filter((path) => /^docs\/(?!README|decisions\/\d)/.test(path));
    expect(others.filter((path) => !map.includes(`](${path.slice("docs/".length)})`))).toEqual([]);
  });

  it("begin with a README of 160 lines and a CONTRIBUTING of 100 at most", () => {
    const lines = (path: string) => read(path).trimEnd().split("\n").length;
    expect([lines("README.md") <= 160, lines("CONTRIBUTING.md") <= 100]).toEqual([true, true]);
  });

  it("show a chart that takes each shutdownNotice that the service takes, and no other", () => {
    const schema = JSON.parse(read("deploy/helm/identity-service/values.schema.json"));
    const pattern = new RegExp(schema.properties.shutdownNotice.pattern);
    const notices = Array.from({ length: 100 }, (_, seconds) => `${seconds}s`);
    const isTaken = (notice: string) => environment.shape.SHUTDOWN_NOTICE.safeParse(notice).success;
    expect(notices.filter(isTaken)).toEqual(notices.filter((notice) => pattern.test(notice)));
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

/** A list of rules by name, such as "rules TEXT-4, TEXT-7 and API-12", also across lines of a comment. */
const CITED = /\b[Rr]ules?\s(?:[\s*/]*(?:and |to )?[A-Z]+-\d+,?)+/g;
/** Citations of documents that are not in the repository. */
const ELSEWHERE =
  /\bcontract(?: §|, section|:)|\bSpec(?:: |[,)])|(?:\(|; )reference: |\bdesign(?:\.md)? §|\bdesign\.md\b/i;

const ruleIds = (text: string): string[] => text.match(/\b[A-Z]+-\d+\b/g) ?? [];
const statedRules = (document: string): string[] =>
  [...document.matchAll(/^- \*\*([A-Z]+-\d+)\*\* /gm)].map(([, id = ""]) => id);
const citedRules = (text: string): string[] => (text.match(CITED) ?? []).flatMap(ruleIds);

const COMMENT = /\/\*[\s\S]*?\*\/|(?<![:"'`])\/\/.*/g;
/** A file that a comment names, by its name alone or with folders. */
const SOURCE_NAME = /(?<![\w/.@*<-])(?:[\w-]+\/)*[\w-][\w.-]*\.tsx?\b/g;

/** The files that the comments of a source name and that do not exist; generated ones are not in the repository. */
function goneFiles(text: string, paths: readonly string[]): string[] {
  const named = (text.match(COMMENT) ?? []).flatMap((comment) => comment.match(SOURCE_NAME) ?? []);
  const kept = named.filter((name) => !/(?:^|\/)generated\//.test(name));
  return kept.filter((name) => !paths.some((path) => `/${path}`.endsWith(`/${name}`)));
}

describe("the comments", () => {
  const sources = [...repositorySources()].filter(([path]) => path !== "server/rules/docs.test.ts");
  const paths = sources.map(([path]) => path);

  it("name only files that exist", () => {
    const gone = sources.flatMap(([path, text]) => goneFiles(text, paths).map((name) => `${path}: ${name}`));
    expect(gone).toEqual([]);
  });

  it("would be refused with a file that was renamed", () => {
    const text = '/** See letters/old.ts, a.tsx. */\nconst x = "y.ts"; // as in there.ts and letters/new.ts';
    expect(goneFiles(text, ["letters/new.ts", "b/there.ts", "a.ts"])).toEqual(["letters/old.ts", "a.tsx"]);
  });
});

describe("the rules", () => {
  const rules = read("docs/rules.md");
  const stated = statedRules(rules);
  const sources = [...repositorySources()].filter(([path]) => path !== "server/rules/docs.test.ts");

  it("have consecutive numbers within each area", () => {
    expect(stated.length).toBeGreaterThan(80);
    const areaOf = (id: string): string => id.replace(/-\d+$/, "");
    const before = (at: number): number =>
      stated.slice(0, at).filter((id) => areaOf(id) === areaOf(stated[at] ?? "")).length;
    expect(stated).toEqual(stated.map((id, at) => `${areaOf(id)}-${before(at) + 1}`));
  });

  it("exist when they are cited, and are cited when they exist", () => {
    const known = new Set(stated);
    const documented: [string, string][] = documents.map((path) => [path, read(path)]);
    const cited = [...sources, ...documented].flatMap(([path, text]) =>
      citedRules(text).map((id) => [path, id] as const),
    );
    expect(cited.filter(([, id]) => !known.has(id))).toEqual([]);
    const used = new Set(sources.flatMap(([, text]) => citedRules(text)));
    expect(stated.filter((id) => !used.has(id))).toEqual([]);
  });

  it("are cited instead of documents that are not in the repository", () => {
    expect(sources.filter(([, text]) => ELSEWHERE.test(text)).map(([path]) => path)).toEqual([]);
  });

  it("are found in citations by their names, and so are citations of other documents", () => {
    const comment = "/** X (rules TEXT-4,\n * TEXT-7 and API-12), then RSA-2048. Rule NO-1. */";
    expect(citedRules(comment)).toEqual(["TEXT-4", "TEXT-7", "API-12", "NO-1"]);
    const others = [
      "(contract §8)",
      "Spec: contract, section 3.",
      "(RFC 7009, Spec)",
      "(reference: Lists)",
      "design.md 5",
    ];
    expect(others.filter((one) => !ELSEWHERE.test(one))).toEqual([]);
  });
});

describe("the diagram of the modules", () => {
  it("is current; `npm run architecture` draws it", () => {
    const document = read("docs/architecture.md");
    expect(document).toBe(withDiagram(document, moduleDiagram(repositorySources())));
  });

  it("has an arrow for each direct import, and none for tests or for modules that another one reaches", () => {
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
