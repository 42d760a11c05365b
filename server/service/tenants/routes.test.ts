import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { operationProcedures } from "../../api/grpc/procedures";
import { operationRoutes } from "../../api/rest/routes";
import { mergeRoutes } from "../../http/routes";
import { differences, rowsOfOthers } from "../../testing/belongings";
import { ruleDatabases } from "../../testing/database";
import { bearerOf, botOf, CONFIDENTIAL, managers, tenantsBootstrap } from "../../testing/tenants";
import { type TestService, testService } from "../../testing/test-context";
import { pictureUploadRoutes } from "../picture-uploads";

const VALUES: Readonly<Record<string, string>> = { language: "en", id: "a-trial", level: "org", picture: "logo" };
const PROCEDURE = /^\/[\w.]+Service\//;
/** Methods of procedures that only read. */
const READS = /\/(?:Get|List|Check|Watch)\w*$/;

const unused = () => new Response();

/** Texts, which have procedures, too, and what is answered beside the addresses of operations: uploads, procedures. */
describe.each(ruleDatabases)("the other addresses of the management APIs, called by strangers, on %s", (kind) => {
  let service: TestService;
  const tokens = new Map<string, string>();
  beforeAll(async () => {
    service = await testService(kind, tenantsBootstrap);
    // What a role may do does not depend on the database; that ids of others are refused may.
    const callers = kind === "sqlite" ? managers : (["mallory"] as const);
    for (const manager of callers) tokens.set(manager, await bearerOf(service, botOf(manager)));
    await service.ctx.db.prisma.messageText.create({
      data: {
        ownerId: "acme",
        type: "init",
        language: "en",
        title: "Your salary: 92000",
        ...now(),
      },
    });
  });
  afterAll(() => service.close());
  const now = () => ({ createdAt: new Date(), changedAt: new Date() });

  async function send(method: string, path: string, token: string | undefined, headers: Record<string, string>) {
    const answer = await service.fetch(path, {
      method,
      body: method === "GET" ? undefined : bodyOf(path),
      headers: {
        ...(path.startsWith("/assets/") ? {} : { "content-type": "application/json" }),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...headers,
      },
    });
    return { status: answer.status, text: await answer.text() };
  }

  it("refuse objects of others and unknown objects in the same words, and change nothing", async () => {
    const texts = Object.entries(operationRoutes).filter(([path]) => path.includes("/text/"));
    const routes = mergeRoutes(
      Object.fromEntries(texts),
      pictureUploadRoutes,
      Object.fromEntries([...operationProcedures(service.ctx).keys()].map((path) => [path, { POST: unused }])),
    );
    const before = await rowsOfOthers(service);
    const wrong: string[] = [];
    let refused = 0;
    for (const [pattern, methods] of Object.entries(routes)) {
      const path = pattern.replace(/:(\w+)/g, (_, name: string) => VALUES[name] ?? name);
      for (const method of Object.keys(methods)) {
        for (const [manager, token] of tokens) {
          const [one, other] = [
            await send(method, path, token, { "x-service-orgid": "acme" }),
            await send(method, path, token, { "x-service-orgid": "nobody-org" }),
          ];
          const say = (what: string) => wrong.push(`${method} ${path}, ${manager}: ${what}`);
          if (JSON.stringify(one) !== JSON.stringify(other)) say(`tells apart ${one.text} and ${other.text}`);
          if (one.status === 401 || one.status >= 500) say(`answers ${one.status}`);
          if (CONFIDENTIAL.test(one.text)) say(`tells ${one.text}`);
          const isReading = PROCEDURE.test(path) ? READS.test(path) : method === "GET";
          if (!isReading && one.status !== 403) say(`is not refused: ${one.status} ${one.text}`);
          if (one.status === 403) refused++;
        }
      }
    }
    expect(wrong).toEqual([]);
    expect(differences(before, await rowsOfOthers(service))).toEqual([]);
    expect(refused).toBeGreaterThan(100);
  });

  it("refer to the caller's organization if none is named", async () => {
    const token = tokens.get("mallory");
    expect((await send("PUT", "/management/v1/text/message/init/en", token, {})).status).toBe(200);
    expect((await send("GET", "/management/v1/text/message/init/en", token, {})).text).not.toMatch(CONFIDENTIAL);
    const procedure = "/service.management.v1.ManagementService/SetCustomInitMessageText";
    expect((await send("POST", procedure, token, {})).status).toBe(200);
    expect((await send("POST", procedure, token, { "x-service-orgid": "acme" })).status).toBe(403);
  });
});

function bodyOf(path: string): FormData | string {
  if (!path.startsWith("/assets/")) return JSON.stringify({ title: "Hello", language: "en" });
  const form = new FormData();
  form.set("file", new Blob(["<svg xmlns='http://www.w3.org/2000/svg'/>"], { type: "image/svg+xml" }), "logo.svg");
  return form;
}
