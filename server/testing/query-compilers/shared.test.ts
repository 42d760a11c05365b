import { expect, it } from "vitest";
import { type CompilerClass, sharedCompiler } from "./shared";

/** Returns a compiler that records its requests and models. */
function noting(): { Compiler: CompilerClass; compiled: string[] } {
  const compiled: string[] = [];
  const Compiler = class {
    readonly models: string;
    constructor(options: object) {
      this.models = (options as { datamodel: string }).datamodel;
    }
    compile(request: string) {
      compiled.push(`${this.models}: ${request}`);
      if (request === "wrong") throw new Error("no such model");
      return { steps: [`${this.models}, ${request}`] };
    }
    compileBatch(requests: string) {
      compiled.push(`${this.models}: all of ${requests}`);
      return { steps: [] };
    }
    free() {
      compiled.push("freed");
    }
  };
  return { Compiler: sharedCompiler(Compiler), compiled };
}

it("compiles a request once for all clients of the same models, even after one of them was closed", () => {
  const { Compiler, compiled } = noting();
  const first = new Compiler({ datamodel: "A" });
  const plan = first.compile("find");
  first.free();
  const second = new Compiler({ datamodel: "A" });
  expect(second.compile("find")).toBe(plan);
  second.compile("count");
  second.compileBatch("find");
  second.compileBatch("find");
  expect(compiled).toEqual(["A: find", "A: count", "A: all of find"]);
});

it("compiles again for other models", () => {
  const { Compiler, compiled } = noting();
  new Compiler({ datamodel: "A" }).compile("find");
  expect(new Compiler({ datamodel: "B" }).compile("find")).toEqual({ steps: ["B, find"] });
  expect(compiled).toEqual(["A: find", "B: find"]);
});

it("rejects an invalid request every time, and prevents a client from changing a shared plan", () => {
  const { Compiler } = noting();
  const one = new Compiler({ datamodel: "A" });
  for (const _ of [1, 2]) expect(() => one.compile("wrong")).toThrow("no such model");
  const plan = one.compile("find") as { steps: string[] };
  expect(() => plan.steps.push("another")).toThrow(TypeError);
});
