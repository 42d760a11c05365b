/**
 * Prisma's query compilers, one for all clients of a test process. Every test has its own database and client, which
 * would compile the statements of the service again: a tenth of the processor time of the tests. The result only
 * depends on the models and the kind of database. vitest.config.ts replaces the compilers by this one; outside of
 * tests a process has one client.
 */
export interface Compiler {
  compile(request: string): unknown;
  compileBatch(requests: string): unknown;
  free(): void;
}

export type CompilerClass = new (options: object) => Compiler;

/** More requests than the service has. The limit keeps the variants of tests from filling the memory. */
const MOST = 5_000;

/** Returns a class whose instances with the same options share one compiler and its results. */
export function sharedCompiler(Real: CompilerClass): CompilerClass {
  const compilers = new Map<string, Compiler>();
  return class {
    readonly #shared: Compiler;

    constructor(options: object) {
      const key = JSON.stringify(options);
      const known = compilers.get(key) ?? remembering(new Real(options));
      compilers.set(key, known);
      this.#shared = known;
    }

    compile(request: string): unknown {
      return this.#shared.compile(request);
    }

    compileBatch(requests: string): unknown {
      return this.#shared.compileBatch(requests);
    }

    free(): void {} // other clients use it
  };
}

function remembering(compiler: Compiler): Compiler {
  return {
    compile: remembered((request) => compiler.compile(request)),
    compileBatch: remembered((requests) => compiler.compileBatch(requests)),
    free: () => compiler.free(),
  };
}

/** Caches results, but not errors. */
function remembered(compile: (request: string) => unknown): (request: string) => unknown {
  const plans = new Map<string, unknown>();
  return (request) => {
    const known = plans.get(request);
    if (known !== undefined) return known;
    const plan = frozen(compile(request));
    if (plans.size >= MOST) plans.clear();
    plans.set(request, plan);
    return plan;
  };
}

/** Freezes a plan, so that a client that modifies it fails, instead of later ones. */
function frozen(value: unknown): unknown {
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return value;
  for (const member of Object.values(value)) frozen(member);
  return Object.freeze(value);
}
