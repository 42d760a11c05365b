/**
 * Prisma's query compilers, one for all clients of a test process. Every test has a database, and so a client, of its own,
 * which would compile the statements of the service anew: a tenth of the processor time of the tests. What a request is
 * compiled to depends on nothing but the models and the kind of database. vitest.config.ts puts this in the place of the
 * compilers; outside of tests a process has one client.
 */
export interface Compiler {
  compile(request: string): unknown;
  compileBatch(requests: string): unknown;
  free(): void;
}

export type CompilerClass = new (options: object) => Compiler;

/** More different requests than the service has; what tests add to them in numbers must not fill the memory. */
const MOST = 5_000;

/** A class whose instances with the same options share one compiler, and what it has compiled. */
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

    free(): void {} // others use it
  };
}

function remembering(compiler: Compiler): Compiler {
  return {
    compile: remembered((request) => compiler.compile(request)),
    compileBatch: remembered((requests) => compiler.compileBatch(requests)),
    free: () => compiler.free(),
  };
}

/** What throws is not remembered. */
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

/** So that a client that changes a plan fails, rather than those after it. */
function frozen(value: unknown): unknown {
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return value;
  for (const member of Object.values(value)) frozen(member);
  return Object.freeze(value);
}
