import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { applyBootstrap } from "../bootstrap/apply";
import { apiToken, callApi } from "../testing/api";
import { exampleBootstrap, SECRET } from "../testing/example";
import { type TestService, testService } from "../testing/test-context";
import { whyReserved } from "./reserved-names";

/** Returns other letters that are compared as equal to the Latin one. */
const spellings = (letter: string): string[] => [
  letter,
  letter.toUpperCase(),
  String.fromCodePoint(0xff41 + letter.charCodeAt(0) - 97), // fullwidth
  String.fromCodePoint(0x1d41a + letter.charCodeAt(0) - 97), // mathematical bold
];
const spelled = fc
  .constantFrom("service", "console")
  .chain((name) => fc.tuple(...[...name].map((letter) => fc.constantFrom(...spellings(letter)))))
  .map((letters) => letters.join(""));
/** Reserved names, similar names, and arbitrary ones. */
const names = fc.oneof(
  { weight: 3, arbitrary: spelled },
  {
    weight: 1,
    arbitrary: fc.tuple(spelled, fc.constantFrom("s", "-1", " ", ".", "@b.test")).map((parts) => parts.join("")),
  },
  { weight: 1, arbitrary: fc.string({ minLength: 1, maxLength: 12 }) },
);

/** The objects that have a name: created by the API, and by an entry of an organization in a bootstrap file. */
const KINDS = {
  "a project": (name: string) => ({
    call: ["/management/v1/projects", { name }] as const,
    entry: { projects: [{ name }] },
  }),
  "a project's id": (name: string) => ({
    call: ["/management/v1/projects", { id: name, name: "P" }] as const,
    entry: { projects: [{ id: name, name: "P" }] },
  }),
  "a client": (name: string) => ({
    call: ["/management/v1/projects/p1/apps/api", { name: "A", clientId: name }] as const,
    entry: {
      projects: [{ id: "new", name: "P", apps: [{ name: "A", api: { clientId: name, clientSecret: SECRET } }] }],
    },
  }),
  "a machine": (name: string) => ({
    call: ["/management/v1/users/machine", { userName: name, name: "M" }] as const,
    entry: { machines: [{ userName: name, name: "M" }] },
  }),
};

/** Runs on one database only, because reserved names are checked before the database is queried. */
describe("names of the service itself", () => {
  let service: TestService;
  let token: string;
  beforeAll(async () => {
    service = await testService("sqlite", exampleBootstrap);
    token = await apiToken(service);
  });
  afterAll(() => service.close());

  const byApi = async ([path, body]: readonly [string, object]) => {
    const answer = await callApi(service, "POST", path, { token, body });
    return JSON.stringify(answer.body);
  };
  /** Only a dry run, so that names stay free for the next case. */
  const byFile = async (entry: object) => {
    const content = { organizations: [{ name: "Another", ...entry }] };
    return applyBootstrap(service.ctx, content, { dryRun: true }).then(
      () => "",
      (mistakes: Error) => mistakes.message,
    );
  };
  const isReserved = (answer: string) => /is the name of (this service itself|the console)/.test(answer);

  it.each(Object.entries(KINDS))("are rejected for %s both by the API and by the bootstrap file", async (_, named) => {
    await fc.assert(
      fc.asyncProperty(names, async (name) => {
        const { call, entry } = named(name);
        const [api, file] = await Promise.all([byApi(call), byFile(entry)]);
        expect({ name, api: isReserved(api) }).toEqual({ name, api: isReserved(file) });
      }),
      { numRuns: 60 },
    );
  });

  it("are rejected in every spelling that is compared as equal, both by the API and by the bootstrap file", async () => {
    const { call, entry } = KINDS["a project"]("ＳＥＲＶＩＣＥ");
    expect(isReserved(await byApi(call))).toBe(true);
    expect(await byFile(entry)).toBe(
      "organizations[0].projects[0].name: The name is the name of this service itself in audiences: choose another.",
    );
  });
});

it("only the names of the service and the console are reserved", () => {
  expect(
    ["service", "Console", "ｃonsole", "services", "consol", ""].map((name) => whyReserved(name) !== undefined),
  ).toEqual([true, true, true, false, false, false]);
});
