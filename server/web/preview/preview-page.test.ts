import { beforeAll, describe, expect, it } from "vitest";
import { changeDirectory } from "../../directory/change";
import { addOrganization } from "../../directory/organization/organization";
import { type BareContext, bareContext } from "../../testing/bare-context";
import { tagsOf } from "../../testing/page-samples";
import { fixedPageTextsOf, type GroupedPageTexts, pageTextsOf } from "../../texts/pages/page-texts";
import { markHtml, marksOf } from "./marks";
import { findSamplePage, namePages, previewPage } from "./preview-page";
import type { SamplePage } from "./sample-page";
import { samplePages } from "./sample-pages";

/** Words on the pages of the first start, which users of an organization do not see, or in scripts. */
const ELSEWHERE = /^(?:setup|setupDone|newPassword)\.|^home\.needsSetup$|^error\.(?:invalidLogoutRequest\.|received$)/;

describe("A page with unsaved words", () => {
  let ctx: BareContext;
  beforeAll(async () => {
    ctx = await bareContext("sqlite");
    const name = "AC\ue0001\ue001ME<b>";
    await changeDirectory(ctx, (ctx) => addOrganization({ ...ctx, origin: { actor: "system" } }, { id: "acme", name }));
  });
  const wanted = { organizationId: "acme", requestId: "1" };
  const previewOf = (page: SamplePage, words?: GroupedPageTexts, language: "en" | "ar" = "en") =>
    previewPage(ctx, { ...wanted, page, language, words });
  const signIn = () => findSamplePage("sign-in") as SamplePage;

  it("exists for every word that can be changed", async () => {
    const shown = new Set<string>();
    for (const organizationId of ["acme", undefined]) {
      for (const page of samplePages) {
        const at = { ...wanted, organizationId, page, language: "en", words: undefined } as const;
        for (const word of (await previewPage(ctx, at)).words) shown.add(word);
      }
    }
    const missing = [...pageTextsOf("en")].filter(([name, { path }]) => !shown.has(name) && !ELSEWHERE.test(path));
    expect(missing.map(([name]) => name)).toEqual([]);
  });

  it("has no changeable words next to a field for a code, a password or a passkey", async () => {
    const known = pageTextsOf("en");
    const [atCredentials, open]: [Set<string>, string[]] = [new Set(), []];
    for (const page of samplePages) {
      const { html, words } = await previewOf(page);
      const asksFor = ({ type, name, autocomplete = "" }: Record<string, string | undefined>) =>
        type === "password" || /one-time-code|password/.test(autocomplete) || /code|credential/i.test(name ?? "");
      if (!tagsOf(html).some((tag) => tag.tag === "input" && asksFor(tag))) continue;
      atCredentials.add(page.id);
      open.push(...words.filter((word) => !known.get(word)?.takesPower).map((word) => `${page.id}: ${word}`));
    }
    expect(open).toEqual([]);
    expect([...atCredentials]).toEqual(
      expect.arrayContaining([
        "sign-in",
        "second-factor.app",
        "reset-password",
        "change-password",
        "account.email.code",
      ]),
    );
    for (const word of ["notMe.title", "done.securedText", "recoveryCodes.text", "setUpFactor.title"]) {
      expect([word, known.get(word)?.takesPower]).toEqual([word, true]);
    }
    for (const word of ["selectAccount.title", "loggedOut.title", "error.notFoundText", "home.title"]) {
      expect([word, known.get(word)?.takesPower]).toEqual([word, false]);
    }
  });

  it("runs no scripts, sends nothing, has no links, and is one document in its language", async () => {
    for (const page of samplePages) {
      const { html } = await previewOf(page, undefined, "ar");
      const tags = tagsOf(html);
      expect([page.id, html.match(/<script|[\ue000-\ue002]| on\w+=/g)]).toEqual([page.id, null]);
      const addresses = tags.flatMap(({ tag, href, action }) => (tag === "link" ? [] : [href ?? action ?? ""]));
      expect([page.id, addresses.filter((address) => address !== "")]).toEqual([page.id, []]);
      expect(tags.filter((tag) => "autofocus" in tag || tag["http-equiv"])).toEqual([]);
      expect(tags[0]).toMatchObject({ tag: "html", lang: "ar", dir: "rtl" });
      const [open, closed] = [/<span\b/g, /<\/span>/g].map((pattern) => html.match(pattern)?.length);
      expect(open).toBe(closed);
    }
  });

  it("hides no words that need a script, nor those for browsers without scripts", async () => {
    for (const page of samplePages) {
      const hidden = tagsOf((await previewOf(page)).html).filter((tag) => "hidden" in tag || "data-unscripted" in tag);
      expect([page.id, hidden]).toEqual([page.id, []]);
    }
  });

  it("identifies each word, in text and in attributes, and gives the reason for fixed ones", async () => {
    const given = {
      signIn: { title: "Hello {{.AppName}} <i>there</i>\ue002\ue0009\ue001" },
      common: { show: "Reveal" },
    };
    const { html, words, errors } = await previewOf(signIn(), given);
    expect(html).toContain('<h1><span data-word="signIn.title">Hello  &lt;i&gt;there&lt;/i&gt;</span></h1>');
    expect(html).toMatch(
      /<button data-word="common\.hide"[^>]* data-hide="Hide"><span data-word="common\.show">Reveal</,
    );
    expect(html).toMatch(/<title>Hello {2}&lt;i&gt;there&lt;\/i&gt; – /);
    expect(html).toContain("ACME&lt;b&gt;");
    expect(words).toEqual(expect.arrayContaining(["signIn.title", "common.loginName", "common.show"]));
    expect(errors).toMatchObject([{ field: "signIn.title", fault: "no_markup", position: 19 }]);
    const { fixed, html: asked } = await previewOf(findSamplePage("continue") as SamplePage);
    expect(fixed).toContainEqual({ path: "continuePage.title", text: "Continue?", reason: "protects" });
    expect(asked).toContain('<span data-fixed="continuePage.question">');
  });

  it("uses the given words instead of all saved words of the level", async () => {
    expect((await previewOf(signIn(), {})).html).toContain('data-word="signIn.title">Sign in</span>');
    expect((await previewOf(signIn(), { signIn: { title: "Mine" } })).html).toContain(">Mine</span></h1>");
  });

  it("names every page and state by its own words, once", () => {
    const pages = namePages("en");
    expect(pages[0]).toEqual({ id: "sign-in", title: "Sign in" });
    expect(new Set(pages.map(({ id }) => id)).size).toBe(pages.length);
    expect(pages.filter(({ title, state = "" }) => /^\w+\.\w+$/.test(title) || /^\w+\.\w+$/.test(state))).toEqual([]);
  });

  it("never opens or closes elements except by its own marks", () => {
    const [open, close] = marksOf(3);
    const evil = `<p title="${open}a${close}">${close}${open}x<b>${open}</b>${close}</p><option>${open}y${close}</option>`;
    expect(markHtml(evil, (number) => `data-word="${number}"`).html).toBe(
      '<p data-word="3" title="a"><span data-word="3">x<b><span data-word="3"></b></span></p><option>y</option>',
    );
  });
});

describe("The words that cannot be changed", () => {
  it("are the rest of the words", () => {
    const all = [...pageTextsOf("en").values()].map(({ path }) => path);
    expect(all.filter((path) => fixedPageTextsOf("en").has(path))).toEqual([]);
    expect(fixedPageTextsOf("en").get("common.checkFields")?.reason).toBe("form");
  });
});
