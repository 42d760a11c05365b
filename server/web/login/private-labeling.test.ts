import { afterAll, beforeAll, expect, it } from "vitest";
import { changeDirectory } from "../../directory/change";
import { setPolicy } from "../../directory/policy/policies";
import { apiToken, callApi } from "../../testing/api";
import { exampleBootstrap, PASSWORD } from "../../testing/example";
import { authorizePath } from "../../testing/flow";
import { type TestService, testService } from "../../testing/test-context";

const [acme] = exampleBootstrap.organizations;
const LOOKS = { acme: "#aa0011", navy: "#0011aa" } as const;
const ENFORCED = "PRIVATE_LABELING_SETTING_ENFORCE_PROJECT_RESOURCE_OWNER_POLICY";
const nina = {
  id: "nina",
  userName: "nina",
  password: PASSWORD,
  profile: { firstName: "Nina", lastName: "Navy" },
  email: { email: "nina@mail.test", isEmailVerified: true },
};

let service: TestService;
beforeAll(async () => {
  const navy = { id: "navy", name: "Navy", domains: [{ domain: "navy.test", verified: true, primary: true }] };
  service = await testService("sqlite", { organizations: [acme, { ...navy, users: [nina] }] });
  for (const [ownerId, primaryColor] of Object.entries(LOOKS)) {
    await changeDirectory(service.ctx, (ctx) =>
      setPolicy({ ...service.ctx, tx: ctx.tx, origin: { actor: "operator" } }, ownerId, "label", { primaryColor }),
    );
  }
});
afterAll(() => service.close());

/** Returns whose colour the page has that Nina sees after her password. */
async function lookOfKnownUser(): Promise<string[]> {
  await service.ctx.db.prisma.user.update({ where: { id: "nina" }, data: { passwordChangeRequired: true } });
  const browser = service.browser();
  const flow = new URL((await browser.get(authorizePath())).headers.get("location") ?? "").searchParams.get("flow");
  const answer = await browser.post("/login/submit", {
    flow: flow ?? "",
    loginName: "nina@navy.test",
    password: PASSWORD,
  });
  const at = answer.headers.get("location") ?? "";
  expect(at).toContain("/login/change-password");
  const page = await (await browser.get(at)).text();
  const sheet = /href="([^"]*\.css[^"]*)"/.exec(page)?.[1];
  const styles = page + (sheet ? await (await browser.get(sheet)).text() : "");
  return Object.entries(LOOKS).flatMap(([name, colour]) => (styles.includes(colour) ? [name] : []));
}

it("pages have the look of the user's organization, and of the project's if it enforces that and is granted", async () => {
  const token = await apiToken(service);
  const call = (method: string, path: string, body?: unknown) => callApi(service, method, path, { token, body });
  const [project] = (await call("POST", "/management/v1/projects/_search", {})).body.result;
  const at = `/management/v1/projects/${project.id}`;
  const set = (privateLabelingSetting?: string) => call("PUT", at, { name: project.name, privateLabelingSetting });
  expect((await call("GET", at)).body.project.privateLabelingSetting).toBe("PRIVATE_LABELING_SETTING_UNSPECIFIED");
  expect(await lookOfKnownUser()).toEqual(["navy"]);
  expect((await set(ENFORCED)).status).toBe(200);
  expect(await lookOfKnownUser()).toEqual(["navy"]);
  expect((await call("POST", `${at}/grants`, { grantedOrgId: "navy" })).status).toBe(200);
  expect(await lookOfKnownUser()).toEqual(["acme"]);
  expect((await call("GET", at)).body.project.privateLabelingSetting).toBe(ENFORCED);
  await set("PRIVATE_LABELING_SETTING_ALLOW_LOGIN_USER_RESOURCE_OWNER_POLICY");
  expect(await lookOfKnownUser()).toEqual(["navy"]);
});
