/**
 * The diagram of the modules in docs/architecture.md, generated from the imports. Only direct steps are drawn: if a
 * module also reaches another one through a third one, the direct arrow is omitted, because the diagram would be
 * unreadable.
 */
import { importsOf, type Sources } from "./imports";
import { moduleOf, TIERS } from "./layers";

const START = "<!-- modules: made by scripts/architecture.mjs -->\n";
const END = "<!-- end of modules -->";

/** Returns the modules of the service and their imports as Mermaid. Type imports count as well. */
export function moduleDiagram(sources: Sources): string {
  const drawn = new Set(TIERS.flat());
  const reached = new Map<string, Set<string>>();
  for (const path of sources.keys()) {
    const module = moduleOf(path);
    if (!drawn.has(module) || isTest(path)) continue;
    const others = reached.get(module) ?? new Set<string>();
    reached.set(module, others);
    for (const { file } of importsOf(path, sources)) {
      const other = file === undefined ? module : moduleOf(file);
      if (other !== module && drawn.has(other)) others.add(other);
    }
  }
  const modules = [...reached.keys()].sort();
  const arrows = modules.flatMap((module) => {
    const direct = [...(reached.get(module) ?? [])];
    const nearest = direct.filter((other) => !direct.some((step) => step !== other && reaches(step, other, reached)));
    return nearest.sort().map((other) => `  ${module} --> ${other}`);
  });
  return ["```mermaid", "flowchart TD", ...modules.map((module) => `  ${module}`), ...arrows, "```", ""].join("\n");
}

/** Returns the document with the diagram between its two marks. Throws if they are missing. */
export function withDiagram(document: string, diagram: string): string {
  const start = document.indexOf(START);
  const end = document.indexOf(END);
  if (start < 0 || end < start) throw new Error("the document does not say where the picture of the modules belongs");
  return document.slice(0, start + START.length) + diagram + document.slice(end);
}

const isTest = (path: string): boolean => /\.test\.tsx?$/.test(path) || path.startsWith("server/testing/");

function reaches(from: string, to: string, arrows: ReadonlyMap<string, ReadonlySet<string>>): boolean {
  const seen = new Set<string>();
  const waiting = [from];
  for (let module = waiting.pop(); module !== undefined; module = waiting.pop()) {
    if (module === to) return true;
    if (seen.has(module)) continue;
    seen.add(module);
    waiting.push(...(arrows.get(module) ?? []));
  }
  return false;
}
