import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { exampleBootstrap } from "../../testing/example";
import { type TestService, testService } from "../../testing/test-context";
import { contentHash } from "../../web/pages/headers";
import { operations } from "../all";
import { operationAreas } from "./areas";
import { readExamples } from "./examples";
import { exampleOf, readableFields, typeWords } from "./readable-schema";

/** Bytes, uncompressed: what a phone renders without a pause. */
const MAX_PAGE_BYTES = 145_000;

const idsOf = (html: string) => [...html.matchAll(/ id="([^"]+)"/g)].map(([, id = ""]) => id);

describe("the pages of the API at /docs/api", () => {
  let service: TestService;
  const pages = new Map<string, string>();
  beforeAll(async () => {
    service = await testService("sqlite", exampleBootstrap);
    const own = ["", "/authentication", "/oauth", "/schemas", "/search?q=grant"];
    for (const location of [...own, ...operationAreas().map(({ anchor }) => `/${anchor}`)]) {
      const response = await service.fetch(`/docs/api${location}`);
      expect([location, response.status]).toEqual([location, 200]);
      pages.set(`/docs/api${location}`, await response.text());
    }
    const schemas = (pages.get("/docs/api/schemas") ?? "").matchAll(/href="(\/docs\/api\/schemas\/[^"]+)"/g);
    for (const [, address = ""] of schemas) pages.set(address, await (await service.fetch(address)).text());
  });
  afterAll(() => service.close());
  const all = () => [...pages.values()].join("\n");

  it("show every operation with its address and permission, variants of an address once", () => {
    const html = all();
    const shown = [...html.matchAll(/<section class="operation"[^>]* data-method="(\w+)" data-path="([^"]+)"/g)];
    const places = shown.map(([, method, path]) => `${method} ${path}`);
    expect(places).toEqual([...new Set(places)]);
    const variants = operations.filter(({ variant }) => variant);
    const groups = new Set(variants.map(({ variant }) => variant?.of));
    expect(places).toHaveLength(operations.length - variants.length + groups.size);
    const single = operations.filter(({ variant }) => !variant);
    const missing = single.filter((one) => !places.includes(`${one.method} ${one.path.replace(/:(\w+)/g, "{$1}")}`));
    expect(missing.map(({ id }) => id)).toEqual([]);
    expect(html.includes("Requires <code>project.app.write</code> in the organization or the project.")).toBe(true);
  });

  it("give the operations of a page unique names", () => {
    const twice = operationAreas().flatMap(({ anchor }) => {
      const list = /<ul class="contents-of-page">(.*?)<\/ul>/s.exec(pages.get(`/docs/api/${anchor}`) ?? "")?.[1] ?? "";
      const names = [...list.matchAll(/<a [^>]*>(.*?)<\/a>/g)].map(([, name = ""]) => name);
      expect([anchor, names.length > 0]).toEqual([anchor, true]);
      return names.filter((name, index) => names.indexOf(name) !== index).map((name) => `${anchor}: ${name}`);
    });
    expect(twice).toEqual([]);
    expect(pages.get("/docs/api/branding")).toContain(">Preview a branding (organization)</a>");
    expect(pages.get("/docs/api/machines")).toContain(">Remove the secret (version 2)</a>");
  });

  it("have unique ids, and links to existing pages and elements", () => {
    const wrong: string[] = [];
    for (const [address, html] of pages) {
      const ids = idsOf(html);
      if (new Set(ids).size !== ids.length) wrong.push(`${address}: an id twice`);
      for (const [, target = ""] of html.matchAll(/href="((?:\/docs\/api[^"#]*)?(?:#[^"]*)?)"/g)) {
        const [page = "", anchor] = (target.startsWith("#") ? address + target : target).split("#");
        const there = pages.get(page);
        if (there === undefined || (anchor !== undefined && !idsOf(there).includes(anchor))) wrong.push(target);
      }
    }
    expect(wrong).toEqual([]);
  });

  it("keep the anchors of the former single page: on the entrance, or by a search for them", async () => {
    const { paths, components } = (await (await service.fetch("/openapi.json")).json()) as {
      paths: Record<string, Record<string, { operationId?: string }>>;
      components: { schemas: object };
    };
    const ids = new Set(idsOf(pages.get("/docs/api") ?? ""));
    const former = Object.values(paths).flatMap((all) => Object.values(all).flatMap((one) => one.operationId ?? []));
    const areas = operationAreas().map(({ anchor }) => anchor);
    const elsewhere = [...former, ...areas, "schemas"].filter((id) => !ids.has(id));
    expect(elsewhere.length).toBeGreaterThan(0);
    expect(elsewhere.filter((id) => !/[_A-Z]/.test(id) || !all().includes(`<i id="${id}"></i>`))).toEqual([]);
    const found = await (await service.fetch(`/docs/api/search?q=${elsewhere[0]}`)).text();
    expect(found).toMatch(/href="\/docs\/api\/texts-of-the-instance#\w+MessageText"/);
    expect(Object.keys(components.schemas).filter((name) => !pages.has(`/docs/api/schemas/${name}`))).toEqual([]);
  });

  it("are small", () => {
    const large = [...pages].map(([address, html]) => [address, Buffer.byteLength(html)] as const);
    expect(large.filter(([, bytes]) => bytes > MAX_PAGE_BYTES)).toEqual([]);
  });

  it("have one style and one script, allowed by their hashes, and may call this origin only", async () => {
    const { headers } = await service.fetch("/docs/api/users");
    const html = pages.get("/docs/api/users") ?? "";
    const [, style = ""] = /<style>([\s\S]*?)<\/style>/.exec(html) ?? [];
    const [, script = ""] = /<script>([\s\S]*?)<\/script>/.exec(html) ?? [];
    const policy = headers.get("content-security-policy")?.split("; ") ?? [];
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain(`style-src ${contentHash(style)}`);
    expect(policy).toContain(`script-src ${contentHash(script)}`);
    expect(policy).toContain("connect-src 'self'");
    expect(script).not.toMatch(/localStorage|sessionStorage|document\.cookie|innerHTML|eval\(/);
    expect([...html.matchAll(/<script/g)]).toHaveLength(1);
  });

  it("are compressed for clients that accept it, and not sent again to clients that have them", async () => {
    const packed = await service.fetch("/docs/api/apps", { headers: { "accept-encoding": "gzip" } });
    expect(packed.headers.get("content-encoding")).toBe("gzip");
    expect(gunzipSync(Buffer.from(await packed.arrayBuffer())).toString() === pages.get("/docs/api/apps")).toBe(true);
    const etag = packed.headers.get("etag") ?? "";
    const again = await service.fetch("/docs/api/apps", {
      headers: { "accept-encoding": "gzip", "if-none-match": etag },
    });
    expect(again.status).toBe(304);
  });

  it("show a command and the recorded response of every operation", () => {
    const examples = readExamples("http://localhost:8080");
    const groups = new Set<string>();
    const without = operations.filter(({ id, variant }) => {
      if (variant && groups.has(variant.of)) return false;
      if (variant) groups.add(variant.of);
      return !examples.has(id);
    });
    expect(without.map(({ id }) => id)).toEqual([]);
    const [, command = ""] =
      /id="AddProject"[\s\S]*?<pre[^>]*><code>([\s\S]*?)<\/code>/.exec(pages.get("/docs/api/projects") ?? "") ?? [];
    expect(command).toContain("curl -X POST &quot;http://localhost:8080/management/v1/projects&quot;");
  });

  it.each([
    ["AddUserGrant", "/docs/api/user-grants#AddUserGrant"],
    ["/oauth/v2/introspect", "/docs/api/oauth#introspect"],
    ["clockSkew", "/docs/api/apps#"],
    ["invite people", "/docs/api/users#"],
  ])("are found by name, address, field and words: %s", async (query, address) => {
    const html = await (await service.fetch(`/docs/api/search?q=${encodeURIComponent(query)}`)).text();
    expect(html).toContain(`href="${address}`);
  });

  it("show the query as text, and answer unknown pages with 404", async () => {
    const html = await (await service.fetch("/docs/api/search?q=%3Cscript%3Ealert(1)%3C/script%3E")).text();
    expect(html).toContain("&lt;script&gt;alert");
    for (const location of ["nothing", "schemas/nothing", "schemas/__proto__"]) {
      expect([location, (await service.fetch(`/docs/api/${location}`)).status]).toEqual([location, 404]);
    }
  });
});

describe("schemas in words", () => {
  it("names the members of nested objects and lists with dots", () => {
    const schema = {
      properties: {
        query: { properties: { limit: { type: "integer" } } },
        list: { type: "array", items: { properties: { id: { $ref: "#/components/schemas/Id" } }, required: ["id"] } },
      },
      required: ["list"],
    };
    expect(readableFields(schema).map(({ name, isRequired }) => [name, isRequired])).toEqual([
      ["query", false],
      ["query.limit", false],
      ["list", true],
      ["list[].id", true],
    ]);
    expect(typeWords({ type: "array", items: { $ref: "#/components/schemas/Id" } })).toEqual([
      "list of ",
      { schema: "Id" },
    ]);
    expect(exampleOf(schema, { Id: { type: "string", example: "x" } })).toEqual({ list: [{ id: "x" }] });
  });
});
