/** The sign-in attempts that administrators see: every possible end, who may read what, and how many rows. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { changeDirectory } from "../directory/change";
import { setPolicy } from "../directory/policy/policies";
import { ROWS_ALIKE, ROWS_OF_NETWORK } from "../directory/sign-in-attempt/batch";
import { type AttemptReader, type AttemptSearch, readAttempts } from "../directory/sign-in-attempt/list";
import { noteAttempt } from "../directory/sign-in-attempt/note";
import { readUser, updateUser } from "../storage/user/user";
import { databaseKinds } from "../testing/database";
import { acmeWithOpenApp, exampleBootstrap, PASSWORD } from "../testing/example";
import { authorizePath } from "../testing/flow";
import { BASE_URL, type TestService, testService } from "../testing/test-context";
import { sweepLogin } from "./sweep";

const WRONG = "wrong wrong wrong wrong";
const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
const [acme] = exampleBootstrap.organizations;
const [project] = acme?.projects ?? [];
const web = project?.apps.find(({ id }) => id === "a-web") ?? { id: "", oidc: {} };
const person = (id: string, email: string, password: string | undefined = PASSWORD) => ({
  id,
  userName: id,
  password,
  profile: { firstName: id, lastName: "Test" },
  email: { email, isEmailVerified: true },
});
const bootstrap = {
  organizations: [
    {
      ...acmeWithOpenApp,
      users: [
        ...(acme?.users ?? []),
        person("eve", "eve@mail.test"),
        person("dan", "dan@mail.test"),
        { ...person("twin-a", "twin-a@mail.test"), userName: "twin" },
        { ...person("newcomer", "newcomer@mail.test"), password: undefined },
      ],
    },
    {
      id: "other",
      name: "Other",
      domains: [{ domain: "other.test", verified: true, primary: true }],
      users: [person("mallory", "mallory@mail.test"), { ...person("twin-o", "twin-o@mail.test"), userName: "twin" }],
      projects: [
        {
          id: "po",
          name: "Other",
          projectRoleCheck: true,
          apps: [{ ...web, id: "a-other", oidc: { ...web.oidc, clientId: "other-web" } }],
        },
      ],
    },
  ],
};
const ACME = { level: "organization", organizationId: "acme" } as const;
const OTHER = { level: "organization", organizationId: "other" } as const;
const SERVICE = { level: "instance" } as const;

describe.each(databaseKinds)("attempts to sign in, on %s", (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await testService(kind, bootstrap);
  });
  afterAll(() => service.close());

  let network = 0;
  /** Advances by over a day, to the start of a minute: identical attempts in one minute share a row. */
  const laterDay = () => service.advance(26 * 3_600_000 + 60_000 - (service.ctx.clock() % 60_000));
  const send = async (path: string, address: string, form?: Record<string, string>) => {
    const headers = { "user-agent": FIREFOX };
    const init = form ? { method: "POST", body: new URLSearchParams(form), headers } : { headers };
    const request = new Request(new URL(path, BASE_URL), init);
    return service.application.fetch(request, { incoming: { headers: {}, socket: { remoteAddress: address } } });
  };
  const fresh = () => `198.51.${++network}.7`;
  async function attempt(clientId: string, loginName: string, password = WRONG, address = fresh(), scope = "openid") {
    const first = await send(authorizePath({ client_id: clientId, scope }), address);
    const flow = new URL(first.headers.get("location") ?? "").searchParams.get("flow") ?? "";
    return send("/login/submit", address, { flow, loginName, password });
  }
  const read = async (reader: AttemptReader, search: AttemptSearch = {}) =>
    (await readAttempts(service.ctx, reader, search, { limit: 200 })).attempts;
  async function added(reader: AttemptReader, step: () => Promise<unknown>) {
    laterDay();
    const from = service.ctx.clock();
    await step();
    return read(reader, { from });
  }
  const setState = (id: string, state: "active" | "inactive" | "locked") =>
    changeDirectory(service.ctx, async (ctx) => {
      if (await readUser(ctx.tx, id)) await updateUser(ctx.tx, id, { state }, service.ctx.clock());
    });
  const policy = (allowUsernamePassword: boolean) =>
    changeDirectory(service.ctx, (ctx) =>
      setPolicy({ ...service.ctx, tx: ctx.tx, origin: { actor: "operator" } }, "acme", "login", {
        allowUsernamePassword,
      }),
    );

  it("leave a row with the reason for every outcome", async () => {
    const ends: [string, () => Promise<unknown>][] = [
      ["signed_in", () => attempt("web", "eve", PASSWORD)],
      ["wrong_password", () => attempt("web", "eve")],
      ["unknown_name", () => attempt("web", "nobody-here@nowhere.test")],
      ["no_password", () => attempt("web", "newcomer")],
      ["user_locked", () => setState("eve", "locked").then(() => attempt("web", "eve", PASSWORD))],
      ["user_inactive", () => setState("eve", "inactive").then(() => attempt("web", "eve"))],
      [
        "password_not_allowed",
        () => Promise.all([setState("eve", "active"), policy(false)]).then(() => attempt("web", "eve", PASSWORD)),
      ],
      [
        "redirect_uri_refused",
        () => policy(true).then(() => send(authorizePath({ redirect_uri: "https://rp.test/other" }), fresh())),
      ],
      ["unknown_client", () => send(authorizePath({ client_id: "no-such" }), fresh())],
      ["request_refused", () => send(authorizePath({ response_type: "token" }), fresh())],
    ];
    const found: [string, string[]][] = [];
    expect(
      (await added(SERVICE, () => attempt("other-web", "mallory@other.test", PASSWORD))).map(({ reason }) => reason),
    ).toEqual(["no_role", "signed_in"]);
    for (const [reason, end] of ends) found.push([reason, (await added(SERVICE, end)).map((row) => row.reason)]);
    expect(found).toEqual(ends.map(([reason]) => [reason, [reason]]));
  });

  it("contain user, app, address and device", async () => {
    const [row] = await added(ACME, () => attempt("web", "EVE@acme.test", WRONG, "203.0.113.9"));
    expect(row).toMatchObject({
      reason: "wrong_password",
      userId: "eve",
      displayName: "eve Test",
      organizationId: "acme",
      loginName: "EVE@acme.test",
      clientId: "web",
      address: "203.0.113.9",
      device: "Firefox · Linux",
      count: 1,
    });
    const address = "https://rp.test/not-mine";
    const [refused] = await added(ACME, () => send(authorizePath({ redirect_uri: address }), fresh()));
    expect(refused).toMatchObject({ clientId: "web", detail: address, userId: null });
  });

  it("keep the typed name only if it identifies the user, for searches", async () => {
    const secret = "my password, in the wrong field";
    const [row] = await added(SERVICE, () => attempt("web", secret));
    expect(row).toMatchObject({ reason: "unknown_name", loginName: null, userId: null });
    const stored = await service.ctx.db.all(`SELECT * FROM "SignInAttempt"`, []);
    expect(JSON.stringify(stored)).not.toContain(secret);
    expect((await read(SERVICE, { loginName: ` ${secret.toUpperCase()}` })).map(({ id }) => id)).toEqual([row?.id]);
    await attempt("web", "dan@mail.test");
    await attempt("web", "dan");
    const ofDan = await read(ACME, { loginName: "dan@acme.test" });
    expect(ofDan.map(({ loginName }) => loginName)).toEqual(["dan", "dan@mail.test"]);
  });

  it("tell the owner of an app no more about others than the page showed the visitor", async () => {
    const rows = await added(OTHER, async () => {
      await attempt("other-web", "eve@acme.test", WRONG, "203.0.113.20");
      await attempt("other-web", "nobody@acme.test", WRONG, "203.0.113.21");
      await attempt("other-web", "newcomer@acme.test", WRONG, "2001:db8:7:8::1");
      await setState("eve", "locked");
      await attempt("other-web", "eve@acme.test", PASSWORD, "203.0.113.22");
      await setState("eve", "active");
    });
    const told = rows.map(({ id: _, createdAt: __, lastAt: ___, ...rest }) => rest);
    const asNobody = {
      reason: "not_recognized",
      count: 1,
      clientId: "other-web",
      appName: expect.any(String),
      appId: "a-other",
      projectId: "po",
      appOrganizationId: "other",
      device: "Firefox · Linux",
      address: "203.0.113.0/24",
      detail: null,
      userId: null,
      organizationId: null,
      loginName: null,
      displayName: null,
    };
    expect(told).toEqual([asNobody, { ...asNobody, address: "2001:db8:7::/48" }, asNobody, asNobody]);
    // No filter reveals what the rows do not contain.
    for (const search of [
      { loginName: "eve@acme.test" },
      { loginName: "nobody@acme.test" },
      { userId: "eve" },
      ...(["wrong_password", "unknown_name", "user_locked", "no_password"] as const).map((reason) => ({ reason })),
    ]) {
      expect(await read(OTHER, search)).toEqual([]);
    }
    expect(await read(OTHER, { reason: "not_recognized" })).toHaveLength(4);
    // Their own organization reads everything.
    const own = await read(ACME, { userId: "eve", clientId: "other-web" });
    expect(own.map(({ reason, appId }) => [reason, appId])).toEqual([
      ["user_locked", null],
      ["wrong_password", null],
    ]);
  });

  it("of other users at other apps are hidden", async () => {
    expect(await added(OTHER, () => attempt("web", "eve"))).toEqual([]);
    expect(await added(OTHER, () => attempt("web", "nobody@other.test"))).toEqual([]);
  });

  it("at the console and at our own pages are visible to the user's organization only", async () => {
    const atAccount = async (loginName: string, password: string) => {
      const first = await send("/account", fresh());
      const flow = new URL(first.headers.get("location") ?? "", BASE_URL).searchParams.get("flow") ?? "";
      return send("/login/submit", fresh(), { flow, loginName, password });
    };
    const step = () => atAccount("mallory@other.test", PASSWORD);
    expect(await added(ACME, step)).toEqual([]);
    expect((await added(OTHER, step)).map(({ reason, userId }) => [reason, userId])).toEqual([
      ["signed_in", "mallory"],
    ]);
    // An organization may know names in its domain.
    const [row] = await added(OTHER, () => atAccount("malory@other.test", PASSWORD));
    expect(row).toMatchObject({ reason: "not_recognized", loginName: null });
  });

  it("do not reveal that two users share a name, and show each organization the refusal of its own user", async () => {
    const guesses = ROWS_ALIKE - 1;
    const guess = (name: string, address: string) => async () => {
      for (let number = 0; number < guesses; number++) await attempt("web", name, WRONG, address);
    };
    expect((await added(ACME, guess("twin", "203.0.113.50"))).map(({ userId }) => userId)).toEqual(
      Array(guesses).fill("twin-a"),
    );
    expect((await added(OTHER, guess("twin", "203.0.113.51"))).map(({ userId }) => userId)).toEqual(
      Array(guesses).fill("twin-o"),
    );
  });

  it("are completely visible if the sign-in was restricted to the organization, at an app that permits it", async () => {
    const scope = "openid urn:service:iam:org:id:other";
    expect(await added(OTHER, () => attempt("web", "eve@acme.test", WRONG, "203.0.113.30", scope))).toEqual([]);
    const [row] = await added(OTHER, () => attempt("open", "eve@acme.test", WRONG, "203.0.113.30", scope));
    expect(row).toMatchObject({ reason: "unknown_name", organizationId: "other", address: "203.0.113.30" });
  });

  it("are bounded: equal ones are counted in one row, and a network gets a limited number", async () => {
    const alike = await added(ACME, async () => {
      for (let guess = 0; guess < ROWS_ALIKE + 4; guess++) {
        await send(authorizePath({ redirect_uri: "https://rp.test/wrong" }), "203.0.113.40");
      }
    });
    expect(alike.map(({ count }) => count)).toEqual([5, ...Array(ROWS_ALIKE - 1).fill(1)]);
    const ofChecks = await added(SERVICE, async () => {
      for (let guess = 0; guess < ROWS_ALIKE + 2; guess++) {
        for (const detail of ["Okta: id_token.aud", "Okta: id_token.exp"]) {
          const none = async () => ({ organizationId: undefined, flowOrganizationId: undefined });
          const userAgent = { address: "203.0.113.42", name: undefined };
          noteAttempt(service.ctx, { reason: "provider_failed", detail, userAgent, organizations: none });
        }
      }
    });
    const merged = ofChecks.filter(({ count }) => count > 1).map(({ count, detail }) => `${count} × ${detail}`);
    expect(merged.sort()).toEqual(["3 × Okta: id_token.aud", "3 × Okta: id_token.exp"]);
    const spread = await added(SERVICE, async () => {
      for (let guess = 0; guess < ROWS_OF_NETWORK + 30; guess++) {
        await send(authorizePath({ client_id: `made-up-${guess}` }), "203.0.113.41");
      }
    });
    expect(spread).toHaveLength(ROWS_OF_NETWORK);
  });

  it("are deleted with the user, and after their retention", async () => {
    await attempt("web", "dan");
    await changeDirectory(service.ctx, (ctx) => ctx.tx.user.delete({ where: { id: "dan" } }));
    expect(await read(SERVICE, { userId: "dan" })).toEqual([]);
    await attempt("web", "eve");
    expect(await read(SERVICE, { userId: "eve" })).not.toEqual([]);
    service.advance(service.ctx.config.signInAttemptRetention + 1000);
    await sweepLogin(service.ctx);
    expect(await read(SERVICE)).toEqual([]);
  });
});
