import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { exampleBootstrap } from "../../testing/example";
import { type TestService, testService } from "../../testing/test-context";
import { documentFiles, readLibrary } from "./library";
import { renderMarkdown } from "./markdown";
import { documentSearch } from "./search";

describe("markdown", () => {
  const html = (source: string) =>
    renderMarkdown(source, (target) => (target === "gone.md" ? undefined : { address: target })).html;

  it.each([
    ["<script>alert(1)</script>", "<script"],
    ["a <img src=x onerror=alert(1)> b", "<img"],
    ["```\n<b>\n```", "<b>"],
    ['[a](https://x.test/"onclick=1)', 'onclick="'],
    ["![<b>](x.png)", "<b>"],
  ])("shows what looks like HTML and does not obey it: %s", (source, forbidden) => {
    expect(html(source)).not.toContain(forbidden);
  });

  it("gives each heading an anchor of its own", () => {
    const { html: page, sections, title } = renderMarkdown("# A `b`\n\n## C, d\n\nx\n\n## C, d\n\ny", () => undefined);
    expect(title).toBe("A b");
    expect(page.match(/id="[^"]+"/g)).toEqual(['id="a-b"', 'id="c-d"', 'id="c-d-1"']);
    expect(sections.map(({ anchor, text }) => [anchor, text.trim()])).toEqual([
      ["a-b", ""],
      ["c-d", "x"],
      ["c-d-1", "y"],
    ]);
  });

  it("keeps room for pictures", () => {
    const size = { width: 30, height: 20 };
    const { html: page } = renderMarkdown("![A](a.png)", (address) => ({ address, size }));
    expect(page).toBe('<p><img src="a.png" alt="A" width="30" height="20"></p>\n');
    const own = readLibrary().documents.flatMap((one) => one.html.match(/<img [^>]*>/g) ?? []);
    expect(own.length).toBeGreaterThan(0);
    for (const picture of own) expect(picture).toMatch(/ width="\d+" height="\d+">$/);
  });

  it("keeps the text of a link without a target", () => {
    expect(html("[here](gone.md) [there](#x)")).toBe('<p>here <a href="#x">there</a></p>\n');
  });
});

describe("the search of the documents", () => {
  const search = documentSearch(readLibrary().documents);

  it("finds sections, those of which the heading matches first, with the words around", () => {
    const [first] = search("embedded database backup");
    expect(first?.excerpt.toLowerCase()).toContain("database");
    expect(search("SECRET_KEY").length).toBeGreaterThan(0);
    expect(search("refrsh tokens").length).toBeGreaterThan(0); // one typing error
    expect(search("back up the embedded database").map(({ heading }) => heading)).toContain("Backup"); // not its word
  });

  it.each(["", "   ", "zzzzzzzzzz", '"\\(*', "a".repeat(5_000), "\u0000\u202e", "__proto__", "constructor toString"])(
    "answers any question: %j",
    (query) => expect(Array.isArray(search(query))).toBe(true),
  );
});

describe("/docs", () => {
  let service: TestService;
  beforeAll(async () => {
    service = await testService("sqlite", exampleBootstrap);
  });
  afterAll(() => service.close());

  it("has every document, each linked from the index, and no link between them that leads nowhere", async () => {
    const textOf = async (address: string) => (await service.fetch(address)).text();
    const index = (await textOf("/docs")) + (await textOf("/docs/decisions"));
    const { documents } = readLibrary();
    const wrong: string[] = [];
    const anchors = new Map(documents.map(({ address, html }) => [address, html]));
    for (const { address, html } of documents) {
      const { status } = await service.fetch(address);
      if (status !== 200 || !index.includes(`href="${address}"`)) wrong.push(`${address} ${status}`);
      for (const [, target = ""] of html.matchAll(/href="(\/docs[^"]*|#[^"]*)"/g)) {
        const [page = "", anchor] = target.startsWith("#") ? [address, target.slice(1)] : target.split("#");
        const there = page === "/docs" || page === "/docs/api" ? "" : anchors.get(page);
        if (there === undefined || (anchor && !there.includes(`id="${anchor}"`))) wrong.push(`${address}: ${target}`);
      }
    }
    expect(wrong).toEqual([]);
    expect(documents.length).toBe(documentFiles().files.length);
  });

  it("has no scripts, answers 304 to a current copy, and is compressed", async () => {
    const { headers } = await service.fetch("/docs/first-app");
    expect(headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(headers.get("content-security-policy")).not.toContain("script-src");
    const etag = headers.get("etag") ?? "";
    expect((await service.fetch("/docs/first-app", { headers: { "if-none-match": etag } })).status).toBe(304);
    const packed = await service.fetch("/docs/first-app", { headers: { "accept-encoding": "br" } });
    expect(packed.headers.get("content-encoding")).toBe("br");
    expect(packed.headers.get("etag")).not.toBe(etag);
  });

  it("shows the query as text, and accepts queries of any length", async () => {
    const ask = async (q: string) => service.fetch(`/docs/search?q=${encodeURIComponent(q)}`);
    const html = await (await ask('<script>"x')).text();
    expect(html).toContain("&lt;script&gt;");
    expect(html).not.toContain("<script");
    expect((await ask("x".repeat(6_000))).status).toBe(200);
    expect((await service.fetch("/docs/search")).status).toBe(200);
  });

  it.each(["/docs/../package.json", "/docs/%2e%2e/package.json", "/docs/app.png/..", "/docs/README", "/docs/x.png"])(
    "serves nothing but its documents: %s",
    async (address) => {
      expect((await service.fetch(address)).status).toBe(404);
    },
  );

  it("shows the pictures of the documents", async () => {
    const [picture] = documentFiles().pictures;
    const answer = await service.fetch(`/docs/${picture}`);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "image/png"]);
  });
});
