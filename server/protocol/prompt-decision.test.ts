import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isError } from "./oauth-error";
import { type BrowserSession, type Decision, decide, type InteractionRequest, parsePrompt } from "./prompt";

const now = 1_800_000_000_000;
const ada: BrowserSession = { id: "s-ada", userId: "u-ada", loginName: "ada@acme.test", authTime: now - 10_000 };
const bob: BrowserSession = { id: "s-bob", userId: "u-bob", loginName: "bob@acme.test", authTime: now - 20_000 };
const oldAda: BrowserSession = { ...ada, authTime: now - 7_200_000 };
const oldBob: BrowserSession = { ...bob, authTime: now - 7_200_000 };

/** Describes a decision: `proceed s-ada`, `login ada@acme.test`, `select-account`, `login_required`. */
function told(decision: Decision): string {
  if (decision.kind === "proceed") return `proceed ${decision.sessionId}`;
  if (decision.kind === "error") return decision.error.error;
  return [decision.screen, decision.hint.loginName ?? decision.hint.sessionId ?? decision.hint.userId].join(" ").trim();
}

// All with max_age 3600: `stale` sessions are two hours old.
const situations = {
  "no session": { sessions: [], hints: {} },
  "one fresh": { sessions: [ada], hints: {} },
  "one stale": { sessions: [oldAda], hints: {} },
  several: { sessions: [ada, bob], hints: {} },
  "several, all stale": { sessions: [oldAda, oldBob], hints: {} },
  "several, hinted": { sessions: [ada, bob], hints: { hintedUserId: "u-bob" } },
  "several, hinted stale": { sessions: [ada, oldBob], hints: { hintedUserId: "u-bob" } },
  "several, hinted other": { sessions: [ada, bob], hints: { hintedUserId: "u-eve" } },
  "one, hinted": { sessions: [ada], hints: { hintedUserId: "u-ada" } },
  "one, hinted other": { sessions: [ada], hints: { hintedUserId: "u-bob" } },
  "none, hinted": { sessions: [], hints: { hintedUserId: "u-ada" } },
  "one, named": { sessions: [ada], hints: { loginHint: "ADA@acme.test" } },
  "one, named other": { sessions: [ada], hints: { loginHint: "bob@acme.test" } },
  "several, named": { sessions: [ada, bob], hints: { loginHint: "bob@acme.test" } },
} satisfies Record<string, { sessions: BrowserSession[]; hints: Partial<InteractionRequest> }>;

type Situation = keyof typeof situations;

const tables: Record<string, Record<Situation, string>> = {
  "": {
    "no session": "login",
    "one fresh": "proceed s-ada",
    "one stale": "login ada@acme.test",
    several: "select-account",
    "several, all stale": "select-account",
    "several, hinted": "proceed s-bob",
    "several, hinted stale": "login bob@acme.test",
    "several, hinted other": "login u-eve",
    "one, hinted": "proceed s-ada",
    "one, hinted other": "login u-bob",
    "none, hinted": "login u-ada",
    "one, named": "proceed s-ada",
    "one, named other": "login bob@acme.test",
    "several, named": "select-account bob@acme.test",
  },
  none: {
    "no session": "login_required",
    "one fresh": "proceed s-ada",
    "one stale": "login_required",
    several: "interaction_required",
    "several, all stale": "login_required",
    "several, hinted": "proceed s-bob",
    "several, hinted stale": "login_required",
    "several, hinted other": "login_required",
    "one, hinted": "proceed s-ada",
    "one, hinted other": "login_required",
    "none, hinted": "login_required",
    "one, named": "proceed s-ada",
    "one, named other": "login_required",
    "several, named": "interaction_required",
  },
  login: {
    "no session": "login",
    "one fresh": "login ada@acme.test",
    "one stale": "login ada@acme.test",
    several: "login",
    "several, all stale": "login",
    "several, hinted": "login bob@acme.test",
    "several, hinted stale": "login bob@acme.test",
    "several, hinted other": "login u-eve",
    "one, hinted": "login ada@acme.test",
    "one, hinted other": "login u-bob",
    "none, hinted": "login u-ada",
    "one, named": "login ada@acme.test",
    "one, named other": "login bob@acme.test",
    "several, named": "login bob@acme.test",
  },
  select_account: {
    "no session": "login",
    "one fresh": "select-account",
    "one stale": "select-account",
    several: "select-account",
    "several, all stale": "select-account",
    "several, hinted": "select-account s-bob",
    "several, hinted stale": "select-account s-bob",
    "several, hinted other": "select-account",
    "one, hinted": "select-account s-ada",
    "one, hinted other": "select-account",
    "none, hinted": "login u-ada",
    "one, named": "select-account ADA@acme.test",
    "one, named other": "select-account bob@acme.test",
    "several, named": "select-account bob@acme.test",
  },
  create: {
    "no session": "create-account",
    "one fresh": "create-account",
    "one stale": "create-account",
    several: "create-account",
    "several, all stale": "create-account",
    "several, hinted": "create-account",
    "several, hinted stale": "create-account",
    "several, hinted other": "create-account",
    "one, hinted": "create-account",
    "one, hinted other": "create-account",
    "none, hinted": "create-account",
    "one, named": "create-account ADA@acme.test",
    "one, named other": "create-account bob@acme.test",
    "several, named": "create-account bob@acme.test",
  },
};
// Consent is decided when the session is known (protocol/consent-required.ts); login after select_account starts with
// the choice.
tables.consent = tables[""] as Record<Situation, string>;
tables["login select_account"] = tables.select_account as Record<Situation, string>;
tables["login consent"] = tables.login as Record<Situation, string>;

describe("the decision on a request (OIDC Core §3.1.2.3)", () => {
  const rows = Object.entries(tables).flatMap(([prompt, table]) =>
    Object.entries(table).map(
      ([situation, outcome]) => [prompt || "(none given)", situation, outcome, prompt] as const,
    ),
  );

  it.each(rows)("prompt %s, %s: %s", (_, situation, outcome, prompt) => {
    const { sessions, hints } = situations[situation as Situation];
    const values = parsePrompt(prompt || undefined);
    if (isError(values)) throw new Error(values.description);
    expect(told(decide({ prompt: values, maxAge: 3600, ...hints }, sessions, now))).toBe(outcome);
  });

  it("treats max_age=0 like prompt=login", () => {
    expect(told(decide({ prompt: [], maxAge: 0 }, [{ ...ada, authTime: now }], now))).toBe("login ada@acme.test");
    expect(told(decide({ prompt: ["none"], maxAge: 0 }, [{ ...ada, authTime: now }], now))).toBe("login_required");
  });

  it.each([
    [9, "login ada@acme.test"],
    [10, "proceed s-ada"],
    [11, "proceed s-ada"],
    [undefined, "proceed s-ada"],
  ])("max_age %s against an authentication 10 s ago: %s", (maxAge, outcome) => {
    expect(told(decide({ prompt: [], maxAge }, [ada], now))).toBe(outcome);
  });

  it.each([
    ["ada", true],
    ["Ada@Acme.Test", true],
    ["ada@private.test", true],
    ["ad", false],
    ["ada@acme", false],
    ["", false],
    ["@", false],
  ])("login_hint %j names Ada: %s", (loginHint, named) => {
    const session = { ...ada, verifiedEmail: "ada@private.test" };
    expect(decide({ prompt: [], loginHint }, [session], now).kind).toBe(named ? "proceed" : "screen");
  });
});

describe("the decision after a screen", () => {
  const demanding: Partial<InteractionRequest>[] = [
    { prompt: ["login"] },
    { prompt: ["create"] },
    { prompt: ["login", "select_account"] },
    { prompt: [], maxAge: 0 },
    { prompt: [], maxAge: 3600 },
  ];

  it.each(demanding)("accepts for %j the session that this flow authenticated", (request) => {
    const input = { prompt: [], ...request, authenticatedSessionId: "s-bob" };
    expect(told(decide(input, [oldAda, oldBob], now))).toBe("proceed s-bob");
  });

  it.each(demanding)("does not accept for %j a selected session", (request) => {
    const input = { prompt: [], ...request, selectedSessionId: "s-bob" };
    expect(decide(input, [oldAda, oldBob], now)).toMatchObject({ kind: "screen" });
  });

  it.each(demanding)("does not accept for %j a session that has ended or is another browser's", (request) => {
    const input = { prompt: [], ...request, authenticatedSessionId: "s-eve", selectedSessionId: "s-eve" };
    expect(decide(input, [oldAda, oldBob], now)).toMatchObject({ kind: "screen" });
  });

  it.each([
    [["select_account"], undefined, "proceed s-bob"],
    [[], undefined, "proceed s-bob"],
    [["select_account"], 3600, "proceed s-bob"],
    [["select_account"], 5, "login bob@acme.test"],
    [["select_account", "login"], undefined, "login bob@acme.test"],
    [["create"], undefined, "create-account"],
  ] as const)("picking a session with prompt %j and max_age %s: %s", (prompt, maxAge, outcome) => {
    expect(told(decide({ prompt, maxAge, selectedSessionId: "s-bob" }, [ada, bob], now))).toBe(outcome);
  });

  it("rejects a user other than the hinted one, authenticated or selected: login_required (OIDC Core §3.1.2.2)", () => {
    const request = { prompt: [], hintedUserId: "u-ada" };
    expect(told(decide({ ...request, authenticatedSessionId: "s-bob" }, [ada, bob], now))).toBe("login_required");
    expect(told(decide({ ...request, selectedSessionId: "s-bob" }, [ada, bob], now))).toBe("login_required");
  });

  it("ignores the results of screens with prompt=none", () => {
    const request: InteractionRequest = {
      prompt: ["none"],
      authenticatedSessionId: "s-bob",
      selectedSessionId: "s-bob",
    };
    expect(told(decide(request, [ada, bob], now))).toBe("interaction_required");
    expect(told(decide({ ...request, maxAge: 0 }, [bob], now))).toBe("login_required");
  });
});

describe("any decision", () => {
  const session = fc.record({
    id: fc.constantFrom("1", "2", "3", "4"),
    userId: fc.constantFrom("u1", "u2", "u3"),
    loginName: fc.constantFrom("ada@acme.test", "bob@acme.test"),
    authTime: fc.integer({ min: now - 10_000_000, max: now }),
  });
  const request = fc.record(
    {
      prompt: fc.oneof(
        fc.constant(["none"] as const),
        fc.subarray(["login", "select_account", "create", "consent"] as const),
      ),
      maxAge: fc.nat(10_000),
      loginHint: fc.constantFrom("ada", "ada@acme.test", "eve"),
      hintedUserId: fc.constantFrom("u1", "u2", "u9"),
      authenticatedSessionId: fc.constantFrom("1", "2", "9"),
      selectedSessionId: fc.constantFrom("1", "2", "9"),
    },
    { requiredKeys: ["prompt"] },
  );
  const browser = fc.uniqueArray(session, { selector: (s) => s.id, maxLength: 4 });

  it("proceeds only with a live session of the hinted user, fresh or authenticated in this flow (property)", () => {
    fc.assert(
      fc.property(request, browser, (asked, sessions) => {
        const decision = decide(asked, sessions, now);
        if (decision.kind !== "proceed") return;
        const used = sessions.find((s) => s.id === decision.sessionId);
        expect(used).toBeDefined();
        if (asked.hintedUserId !== undefined) expect(used?.userId).toBe(asked.hintedUserId);
        const prompt: readonly string[] = asked.prompt;
        if (!prompt.includes("none") && asked.authenticatedSessionId === decision.sessionId) return;
        expect(prompt.includes("login") || prompt.includes("create") || asked.maxAge === 0).toBe(false);
        if (asked.maxAge !== undefined) expect(now - (used?.authTime ?? 0)).toBeLessThanOrEqual(asked.maxAge * 1000);
        if (prompt.includes("select_account")) expect(asked.selectedSessionId).toBe(decision.sessionId);
      }),
      { numRuns: 2000 },
    );
  });

  it("leads to no screen with prompt=none, and otherwise never to interaction_required (property)", () => {
    fc.assert(
      fc.property(request, browser, (asked, sessions) => {
        const decision = decide(asked, sessions, now);
        const silent = (asked.prompt as readonly string[]).includes("none");
        if (silent) expect(decision.kind).not.toBe("screen");
        else expect(told(decision)).not.toBe("interaction_required");
      }),
      { numRuns: 1000 },
    );
  });
});
