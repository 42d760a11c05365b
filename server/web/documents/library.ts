/**
 * The documents served at `/docs`: a fixed table built from the folder `docs/`, so that no address can name another
 * file.
 */
import { readdirSync, readFileSync } from "node:fs";
import path, { posix } from "node:path";
import { readPicture } from "../../directory/branding/picture";
import { root } from "../../root";
import { type LinkTarget, type RenderedDocument, renderMarkdown } from "./markdown";

export interface ServedDocument extends RenderedDocument {
  /** The path, for example `/docs/first-app`. */
  address: string;
  group: DocumentGroup;
  /** The first paragraph. */
  about: string;
}

/** The groups of documents, in the order of the navigation. */
export const DOCUMENT_GROUPS = ["Get started", "Deploy", "Concepts", "Decisions"] as const;
export type DocumentGroup = (typeof DOCUMENT_GROUPS)[number];

/** The index of the documents for readers of the repository; the service has its own index at its address. */
const MAP = "README.md";

/** The order in which readers need the documents; the others follow by name. */
const ORDER: Readonly<Record<string, DocumentGroup>> = {
  "guide/first-app.md": "Get started",
  "guide/texts.md": "Get started",
  "clients.md": "Get started",
  "agents.md": "Get started",
  "guide/identity-providers.md": "Get started",
  "configuration.md": "Deploy",
  "deploy.md": "Deploy",
  "guide/operate.md": "Deploy",
  "operations.md": "Deploy",
  "guide/upgrade.md": "Deploy",
  "guide/moving-in.md": "Deploy",
  "guide/moving-in/zitadel.md": "Deploy",
  "guide/moving-in/keycloak.md": "Deploy",
  "guide/moving-in/auth0.md": "Deploy",
  "guide/moving-in/firebase.md": "Deploy",
  "guide/moving-in/okta.md": "Deploy",
  "guide/moving-in/csv.md": "Deploy",
  "benchmarks.md": "Deploy",
  "architecture.md": "Concepts",
  "rules.md": "Concepts",
  "first-change.md": "Concepts",
  "decisions/README.md": "Concepts",
};
/** Links to other files of the repository lead to its public address. */
const PICTURE = /^[a-z0-9-]+\.png$/;

export interface Library {
  documents: readonly ServedDocument[];
  /** The names of the pictures next to the documents. */
  pictures: readonly string[];
}

/** Returns the names of the documents without reading them: the addresses are known at start. */
export function documentFiles(): { files: string[]; pictures: string[] } {
  const folder = path.join(root, "docs");
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) =>
    name.split(path.sep).join("/"),
  );
  const rank = (name: string) => {
    const at = Object.keys(ORDER).indexOf(name);
    return at < 0 ? Number.MAX_SAFE_INTEGER : at;
  };
  const files = names
    .filter((name) => name.endsWith(".md") && name !== MAP)
    .sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
  return { files, pictures: names.filter((name) => PICTURE.test(name)).sort() };
}

/**
 * Returns the address of a document: `guide/first-app.md` is at `/docs/first-app`, a `README.md` at the address of its
 * folder.
 */
export function documentAddress(file: string): string {
  const place = file.replace(/^guide\//, "").replace(/(?:\/?README)?\.md$/, "");
  return `/docs/${place}`;
}

export function readLibrary(): Library {
  const { files, pictures } = documentFiles();
  const folder = path.join(root, "docs");
  const documents = files.map((file) => {
    const resolve = (target: string) => resolveTarget(file, target, { files, pictures });
    const rendered = renderMarkdown(readFileSync(path.join(folder, file), "utf8"), resolve);
    const about = rendered.sections.find(({ text }) => text.trim() !== "")?.text.trim() ?? "";
    const group = ORDER[file] ?? (file.startsWith("decisions/") ? "Decisions" : "Concepts");
    return { ...rendered, address: documentAddress(file), group, about: firstSentence(about) };
  });
  return { documents, pictures };
}

/** Returns the target of a link or picture; undefined for files of the repository that are not served. */
function resolveTarget(
  from: string,
  target: string,
  { files, pictures }: { files: readonly string[]; pictures: readonly string[] },
): LinkTarget | undefined {
  if (/^(?:https?:|mailto:|#|\/)/.test(target)) return { address: target };
  const [file = "", fragment] = target.split("#");
  const place = posix.normalize(posix.join(posix.dirname(from), file));
  const anchor = fragment === undefined ? "" : `#${fragment}`;
  if (place === MAP) return { address: `/docs${anchor}` };
  if (files.includes(place)) return { address: documentAddress(place) + anchor };
  if (!pictures.includes(place)) return undefined;
  return { address: `/docs/${place}`, size: readPicture(readFileSync(path.join(root, "docs", place))) };
}

const firstSentence = (text: string): string =>
  (/^.{1,240}?[.:](?=\s|$)/s.exec(text)?.[0] ?? text.slice(0, 240)).replace(/:$/, ".");
