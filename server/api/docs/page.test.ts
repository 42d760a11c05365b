import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { exampleBootstrap } from "../../testing/example";
import { type TestService, testService } from "../../testing/test-context";
import { contentHash } from "../../web/pages/headers";
import { exampleOf, fieldsOf, typeWords } from "./readable-schema";

describe("the page of the API at /docs/api", () => {
  let service: TestService;
  let html: string;
  beforeAll(async () => {
    service = await testService("sqlite", exampleBootstrap);
    html = await (await service.fetch("/docs/api")).text();
  });
  afterAll(() => service.close());

  it("shows every operation of the OpenAPI document with its address and permission", async () => {
    const { paths } = (await (await service.fetch("/openapi.json")).json()) as {
      paths: Record<string, Record<string, object>>;
    };
    const addresses = Object.entries(paths).flatMap(([path, methods]) => Object.keys(methods).map(() => path));
    expect(addresses.length).toBeGreaterThan(50);
    expect([...html.matchAll(/<span class="method/g)]).toHaveLength(addresses.length);
    expect(addresses.filter((path) => !html.includes(`<code>${path}</code>`))).toEqual([]);
    expect(html.includes("Needs <code>project.app.write</code> in the organization or the project.")).toBe(true);
  });

  it("gives every element one id and leads every link to one that is there", () => {
    const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(ids).toEqual([...new Set(ids)]);
    const targets = [...html.matchAll(/href="#([^"]+)"/g)].map(([, target]) => target);
    expect(targets.filter((target) => !ids.includes(target))).toEqual([]);
  });

  it("has no script, and a style that its policy allows", async () => {
    const { headers } = await service.fetch("/docs/api");
    const [, style = ""] = /<style>([\s\S]*?)<\/style>/.exec(html) ?? [];
    expect(headers.get("content-security-policy")).toContain(`style-src ${contentHash(style)};`);
    expect(headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(html.includes("<script")).toBe(false);
  });

  it("is packed for whoever can unpack it, and not sent again to whoever has it", async () => {
    const packed = await service.fetch("/docs/api", { headers: { "accept-encoding": "br, gzip" } });
    expect(packed.headers.get("content-encoding")).toBe("gzip");
    const bytes = Buffer.from(await packed.arrayBuffer());
    expect(gunzipSync(bytes).toString() === html).toBe(true);
    expect(bytes.length).toBeLessThan(100_000);
    const etag = packed.headers.get("etag") ?? "";
    const again = await service.fetch("/docs/api", { headers: { "accept-encoding": "gzip", "if-none-match": etag } });
    expect(again.status).toBe(304);
    const plain = await service.fetch("/docs/api", { headers: { "accept-encoding": "gzip;q=0" } });
    expect(plain.headers.get("content-encoding")).toBeNull();
  });

  it("gives commands to copy, with a body that has what is required", () => {
    const [, command = ""] =
      /<div class="inside" id="AddProject">[\s\S]*?<pre><code>([\s\S]*?)<\/code>/.exec(html) ?? [];
    expect(command).toContain("curl -X POST &quot;http://localhost:8080/management/v1/projects&quot;");
    expect(command).toContain("-d &#x27;{&quot;name&quot;:&quot;Shop&quot;}&#x27;");
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
    expect(fieldsOf(schema).map(({ name, isRequired }) => [name, isRequired])).toEqual([
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
