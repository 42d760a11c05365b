import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { applyBootstrap } from "../../bootstrap/apply";
import { exportBootstrap } from "../../bootstrap/export";
import { apiToken, callApi, refusalOf } from "../../testing/api";
import { ruleDatabases } from "../../testing/database";
import { exampleBootstrap, PASSWORD } from "../../testing/example";
import type { ApiCaller } from "../../testing/tenants";
import { type TestService, testService } from "../../testing/test-context";

const MEMBERS = "/management/v1/orgs/me/members";
const TEXTS = "/management/v1/text";
const message = (language: string, type = "domainclaimed") => `${TEXTS}/message/${type}/${language}`;
const words = (language: string) => `${TEXTS}/login/${language}`;
/** A word of a page where no one enters a code or a password, and one of a page where they do. */
const OPEN_WORD = { selectAccount: { title: "Wer sind Sie?" } };
const CREDENTIAL_WORD = { signIn: { title: "Rufen Sie uns an" } };

const person = (name: string, more: object = {}) => ({
  id: `u-${name}`,
  userName: name,
  password: PASSWORD,
  profile: { firstName: name, lastName: name },
  email: { email: `${name}@texts.test`, isEmailVerified: true },
  ...more,
});

const bootstrap = {
  organizations: [
    ...exampleBootstrap.organizations,
    {
      id: "texts",
      name: "Texts",
      domains: [{ domain: "texts.test", verified: true, primary: true }],
      users: [
        person("owner", { roles: ["ORG_OWNER"] }),
        person("editor"),
        person("german"),
        person("translator"),
        person("filed", { roles: ["ORG_TRANSLATOR"], roleLanguages: ["fr", "de"] }),
      ],
    },
    { id: "partner", name: "Partner", users: [person("pat", { userName: "pat@texts-partner.test" })] },
  ],
};

async function written(parts: AsyncIterable<string>): Promise<string> {
  let all = "";
  for await (const part of parts) all += part;
  return all;
}

describe.each(ruleDatabases)("roles for texts (TEXT-15) on %s", (kind) => {
  let service: TestService;
  const callers = new Map<string, ApiCaller>();
  const as = (name: string): ApiCaller => callers.get(name) ?? expect.fail(`${name} is not signed in`);
  beforeAll(async () => {
    service = await testService(kind, bootstrap);
    for (const name of ["owner", "editor", "german", "translator", "filed"]) {
      const token = await apiToken(service, `${name}@texts.test`);
      callers.set(name, (method, path, body, ifMatch) =>
        callApi(service, method, path, { token, body, headers: ifMatch ? { "if-match": ifMatch } : {} }),
      );
    }
    const add = async (userId: string, roles: string[], languages?: string[]) =>
      expect((await as("owner")("POST", MEMBERS, { userId, roles, languages })).status).toBe(200);
    await add("u-editor", ["ORG_TEXT_EDITOR"]);
    await add("u-german", ["ORG_TEXT_EDITOR"], ["de"]);
    await add("u-translator", ["ORG_TRANSLATOR"], ["DE", "fr"]);
  });
  afterAll(() => service.close());

  const listed = async (userId: string) =>
    (await as("owner")("POST", `${MEMBERS}/_search`, { queries: [{ userIdQuery: { userId } }] })).body.result[0];
  const drafts = async (name: string) => (await as(name)("GET", `${TEXTS}/drafts`)).body.result as { id: string }[];
  const FORBIDDEN = { status: 403, code: 7, id: "access.text_language" };

  it("show their languages, and keep them unless the request names others", async () => {
    expect(await listed("u-german")).toMatchObject({ roles: ["ORG_TEXT_EDITOR"], languages: ["de"] });
    expect((await listed("u-editor")).languages).toBeUndefined();
    expect((await listed("u-translator")).languages).toEqual(["de", "fr"]);
    const set = (body: object) => as("owner")("PUT", `${MEMBERS}/u-translator`, body);
    await set({ roles: ["ORG_TRANSLATOR", "ORG_USER_SELF_MANAGER"] });
    expect((await listed("u-translator")).languages).toEqual(["de", "fr"]);
    await set({ roles: ["ORG_TRANSLATOR"], languages: [] });
    expect((await listed("u-translator")).languages).toBeUndefined();
    await set({ roles: ["ORG_TRANSLATOR"], languages: ["de", "fr"] });
    const { prisma } = service.ctx.db;
    const changed = await prisma.event.findMany({ where: { type: "organization.member.changed" } });
    expect(changed.map(({ payload }) => payload)).toEqual([
      { userId: "u-translator", role: "ORG_TRANSLATOR", languages: { from: ["de", "fr"], to: null } },
      { userId: "u-translator", role: "ORG_TRANSLATOR", languages: { from: null, to: ["de", "fr"] } },
    ]);
  });

  it("are refused languages that do not exist, and other roles any", async () => {
    const add = (body: object) => as("owner")("POST", MEMBERS, { userId: "u-filed", ...body });
    const unknown = await add({ roles: ["ORG_TEXT_EDITOR"], languages: ["de", "xx"] });
    expect([refusalOf(unknown).id, unknown.body.details[0].field]).toEqual(["request.invalid", "languages[1]"]);
    const other = await add({ roles: ["ORG_OWNER_VIEWER"], languages: ["de"] });
    expect(refusalOf(other)).toMatchObject({ status: 400, id: "member.languages_not_limited" });
  });

  it("let an editor change and reset texts that open no account, at once", async () => {
    const editor = as("editor");
    for (const language of ["de", "fr"]) {
      expect((await editor("PUT", message(language), { subject: "Neu" })).body.draft).toBeUndefined();
      expect((await as("owner")("GET", message(language))).body.customText.subject).toBe("Neu");
      expect((await editor("PUT", words(language), OPEN_WORD)).status).toBe(200);
      for (const path of [message(language), words(language)]) expect((await editor("DELETE", path)).status).toBe(200);
    }
    expect((await editor("GET", "/management/v1/policies/login")).status).toBe(200);
  });

  it("let an editor change no text that opens an account, in any way", async () => {
    const editor = as("editor");
    const higher = { status: 403, code: 7, id: "access.higher_role" };
    for (const type of ["passwordreset", "init", "verifyemail", "invite_user", "factor_added"]) {
      expect(refusalOf(await editor("PUT", message("de", type), { subject: "Neu" }))).toEqual(higher);
    }
    expect(refusalOf(await editor("PUT", words("de"), CREDENTIAL_WORD))).toEqual(higher);
    const content = JSON.stringify({ language: "de", messages: { passwordreset: { subject: "Neu" } } });
    const file = await editor("POST", `${TEXTS}/translations/de/_import`, { format: "json", content });
    expect(refusalOf(file)).toEqual(higher);
    const draft = (await as("translator")("PUT", message("de", "passwordreset"), { subject: "Vorschlag" })).body.draft;
    for (const verb of ["_approve", "_reject"]) {
      expect(refusalOf(await editor("POST", `${TEXTS}/drafts/${draft.id}/${verb}`, {}))).toEqual(higher);
    }
    expect((await as("translator")("DELETE", `${TEXTS}/drafts/${draft.id}`)).status).toBe(200);
  });

  it("let an editor of one language write in no other, by any of the ways to write a text", async () => {
    const german = as("german");
    expect((await german("PUT", message("de"), { subject: "Neu" })).status).toBe(200);
    expect((await german("PUT", words("de"), OPEN_WORD)).status).toBe(200);
    expect((await as("editor")("PUT", message("fr"), { subject: "Nouveau" })).status).toBe(200);
    expect((await as("editor")("PUT", words("fr"), OPEN_WORD)).status).toBe(200);
    const proposed = (await as("translator")("PUT", message("fr"), { subject: "Autre" })).body.draft;
    const exported = await german("GET", `${TEXTS}/translations/fr/_export?format=json`);
    const tries: [string, string, object?][] = [
      ["PUT", message("fr"), { subject: "Meins" }],
      ["PUT", message("FR"), { subject: "Meins" }],
      ["PUT", words("fr"), OPEN_WORD],
      ["PUT", words("fr"), {}],
      ["DELETE", message("fr")],
      ["DELETE", words("fr")],
      ["POST", `${message("fr")}/_keep`],
      ["POST", `${words("fr")}/_keep`],
      ["POST", `${TEXTS}/translations/fr/_import`, { format: "json", content: exported.body.content }],
      ["POST", `${TEXTS}/translations/fr/_import`, { format: "json", content: exported.body.content, dryRun: true }],
      ["PUT", "/v2/settings/hosted_login_translation", { locale: "fr", translations: OPEN_WORD }],
      ["POST", `${TEXTS}/drafts/${proposed.id}/_approve`],
      ["POST", `${TEXTS}/drafts/${proposed.id}/_reject`, {}],
      ["DELETE", `${TEXTS}/drafts/${proposed.id}`],
    ];
    const { prisma } = service.ctx.db;
    const before = await prisma.event.count();
    for (const [method, path, body] of tries) {
      expect([method, path, refusalOf(await german(method, path, body))]).toEqual([method, path, FORBIDDEN]);
    }
    const procedure = "/service.management.v1.ManagementService/SetCustomDomainClaimedMessageCustomText";
    expect((await german("POST", procedure, { language: "fr", subject: "Meins" })).status).toBe(403);
    expect((await german("POST", procedure, { language: "de", subject: "Meins" })).status).toBe(200);
    expect(await prisma.event.count()).toBe(before + 1);
    expect((await german("GET", message("fr"))).body.customText.subject).toBe("Nouveau");
    expect((await as("translator")("DELETE", `${TEXTS}/drafts/${proposed.id}`)).status).toBe(200);
  });

  it("let a translator propose any text in their languages, which changes nothing until someone may and does approve", async () => {
    const translator = as("translator");
    const before = (await as("owner")("GET", message("de", "passwordreset"))).body.customText.subject;
    const { draft } = (await translator("PUT", message("de", "passwordreset"), { subject: "Ihr Code" })).body;
    expect((await as("owner")("GET", message("de", "passwordreset"))).body.customText.subject).toBe(before);
    expect((await drafts("owner")).map(({ id }) => id)).toContain(draft.id);
    expect(refusalOf(await translator("POST", `${TEXTS}/drafts/${draft.id}/_approve`)).status).toBe(403);
    expect((await as("owner")("POST", `${TEXTS}/drafts/${draft.id}/_approve`)).status).toBe(200);
    expect((await as("owner")("GET", message("de", "passwordreset"))).body.customText.subject).toBe("Ihr Code");
    expect((await translator("PUT", words("fr"), CREDENTIAL_WORD)).body.draft.id).toEqual(expect.any(String));
    expect(refusalOf(await translator("PUT", message("en"), { subject: "Mine" }))).toEqual(FORBIDDEN);
    expect(refusalOf(await translator("DELETE", message("de"))).id).toBe("access.denied");
    const content = JSON.stringify({ language: "de", messages: { init: { subject: "Übersetzt" } } });
    const imported = await translator("POST", `${TEXTS}/translations/de/_import`, { format: "json", content });
    expect([imported.status, imported.body.isDraft]).toEqual([200, true]);
    expect((await as("owner")("GET", message("de", "init"))).body.customText.subject).not.toBe("Übersetzt");
  });

  it("show a translator texts and nothing else, and give neither of them a way to more", async () => {
    const nothing: [string, string, object?][] = [
      ["POST", "/management/v1/users/_search", {}],
      ["POST", "/v2/users", {}],
      ["POST", "/management/v1/apps/_search", {}],
      ["POST", "/management/v1/projects/_search", {}],
      ["GET", "/management/v1/orgs/me"],
      ["POST", `${MEMBERS}/_search`, {}],
      ["POST", "/management/v1/events/_search", {}],
      ["POST", "/admin/v1/orgs/_search", {}],
    ];
    const escalations: [string, string, object?][] = [
      ["POST", MEMBERS, { userId: "u-filed", roles: ["ORG_OWNER"] }],
      ["PUT", `${MEMBERS}/u-german`, { roles: ["ORG_TEXT_EDITOR"], languages: [] }],
      ["PUT", `${MEMBERS}/u-translator`, { roles: ["ORG_TEXT_EDITOR"] }],
      ["DELETE", `${MEMBERS}/u-owner`],
      ["POST", "/management/v1/policies/texts", { requireTextApproval: false }],
      ["PUT", "/admin/v1/text/message/domainclaimed/de", { subject: "Alle" }],
      ["POST", "/admin/v1/members", { userId: "u-german", roles: ["IAM_OWNER"] }],
    ];
    for (const name of ["german", "translator", "filed"]) {
      const policy: [string, string] = ["GET", "/management/v1/policies/login"];
      for (const [method, path, body] of [...nothing, ...escalations, ...(name === "german" ? [] : [policy])]) {
        const { status } = await as(name)(method, path, body);
        expect([name, method, path, status]).toEqual([
          name,
          method,
          path,
          path === "/v2/users" && status === 200 ? 200 : 403,
        ]);
      }
    }
  });

  it("are given by the bootstrap file, changed by it, and exported", async () => {
    const file = (roleLanguages?: string[]) => ({
      organizations: [
        {
          id: "texts",
          name: "Texts",
          users: [{ id: "u-filed", userName: "filed", roles: ["ORG_TRANSLATOR"], roleLanguages }],
        },
      ],
    });
    expect((await listed("u-filed")).languages).toEqual(["de", "fr"]);
    await applyBootstrap(service.ctx, file(["ja"]));
    expect((await listed("u-filed")).languages).toEqual(["ja"]);
    await applyBootstrap(service.ctx, file());
    expect((await listed("u-filed")).languages).toEqual(["ja"]);
    const exported = (await written(exportBootstrap(service.ctx))).replace(/\s/g, "");
    expect(exported).toContain('"roles":["ORG_TRANSLATOR"],"roleLanguages":["ja"]');
  });

  it("can be given to someone of another organization by a caller who may read them, and by no one else", async () => {
    const iam = await apiToken(service);
    const add = (token: string | undefined, caller?: ApiCaller) =>
      caller
        ? caller("POST", MEMBERS, { userId: "u-pat", roles: ["ORG_TEXT_EDITOR"] })
        : callApi(service, "POST", MEMBERS, {
            token,
            body: { userId: "u-pat", roles: ["ORG_TEXT_EDITOR"] },
            headers: { "x-service-orgid": "texts" },
          });
    expect(refusalOf(await add(undefined, as("owner"))).id).toBe("user.not_found");
    expect((await add(iam)).status).toBe(200);
  });
});
