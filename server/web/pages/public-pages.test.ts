import { describe, expect, it } from "vitest";
import type { SignInProps } from "../../../components/login/sign-in-page";
import { locales } from "../../../messages/locales";
import {
  byId,
  errorKinds,
  everyPage,
  frameOf,
  selectAccountSample,
  setupSample,
  signInSample,
  tagsOf,
} from "../../testing/page-samples";
import { languageForm } from "./language-form";
import * as pages from "./public-pages";

const frame = frameOf("en");
const titleOf = (html: string) => /<title>(.*?)<\/title>/.exec(html)?.[1];
const textOf = (html: string) =>
  mainOf(html)
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ");
const mainOf = (html: string) => html.slice(html.indexOf("<main>"), html.indexOf("</main>"));
const hiddenOf = (html: string) =>
  Object.fromEntries(tagsOf(html).flatMap(({ type, name, value }) => (type === "hidden" ? [[name, value]] : [])));

describe("sign in (rule PAGE-1: names and ids)", () => {
  it("has its fields, its button and its links under their names", () => {
    const { html } = pages.signInPage(signInSample, frame);
    expect(byId(html, "loginName")).toMatchObject({ tag: "input", name: "loginName", type: "text" });
    expect(byId(html, "password")).toMatchObject({ tag: "input", name: "password", type: "password" });
    expect(byId(html, "submit")).toMatchObject({ tag: "button", name: "submit", type: "submit" });
    expect(byId(html, "forgot-password")).toMatchObject({
      tag: "a",
      name: "forgot-password",
      href: "/login/forgot-password",
    });
    expect(byId(html, "create-account")).toMatchObject({
      tag: "a",
      name: "create-account",
      href: "/login/create-account",
    });
    expect(tagsOf(html).find(({ tag }) => tag === "form")).toMatchObject({ method: "post", action: "/login/submit" });
    expect(hiddenOf(mainOf(html))).toEqual({ flow: "sealed", ui_locales: "en", credential: "" });
  });

  it("tells password managers what the fields are and keeps keyboards from changing them", () => {
    const { html } = pages.signInPage(signInSample, frame);
    const asTyped = { autocapitalize: "none", spellcheck: "false" };
    expect(byId(html, "loginName")).toMatchObject({
      autocomplete: "username webauthn",
      inputmode: "email",
      ...asTyped,
    });
    expect(byId(html, "password")).toMatchObject({ autocomplete: "current-password", ...asTyped });
  });

  it("offers only links that exist", () => {
    const { html } = pages.signInPage({ flow: "f", action: "/x", asks: "both", error: "credentials" }, frame);
    expect(byId(html, "forgot-password")).toBeUndefined();
    expect(byId(html, "create-account")).toBeUndefined();
    expect(textOf(html)).not.toContain("Reset your password");
  });

  it("puts the focus on the first field to fill in", () => {
    const focusOf = (props: Partial<SignInProps>) =>
      tagsOf(pages.signInPage({ flow: "f", action: "/x", asks: "both", ...props }, frame).html).find(
        (tag) => "autofocus" in tag,
      )?.id;
    expect(focusOf({})).toBe("loginName");
    expect(focusOf({ loginName: "ada" })).toBe("password");
    expect(focusOf({ loginName: "ada", error: "credentials" })).toBe("error-summary");
  });

  it("marks both fields when the pair was refused and carries no password back", () => {
    const { html } = pages.signInPage({ ...signInSample, error: "credentials" }, frame);
    for (const id of ["loginName", "password"])
      expect(byId(html, id)).toMatchObject({ "aria-describedby": "error-summary", "aria-invalid": "true" });
    expect(byId(html, "password")).not.toHaveProperty("value");
    expect(byId(html, "error-summary")).toMatchObject({ role: "alert", tabindex: "-1" });
  });

  it("links the summary to each field that was left empty", () => {
    const { html } = pages.signInPage({ ...signInSample, error: "missing-login-name-and-password" }, frame);
    const jumps = tagsOf(html).flatMap(({ href }) => (href?.startsWith("#") ? href : []));
    expect(jumps).toEqual(["#loginName", "#password"]);
  });

  it("marks an error in the title, in the language of the page", () => {
    const props = { ...signInSample, error: "credentials" } as const;
    expect(titleOf(pages.signInPage(props, frame).html)).toMatch(/^Error: Sign in – /);
    expect(titleOf(pages.signInPage(props, frameOf("de")).html)).toMatch(/^Fehler: Anmelden – /);
  });

  it("answers a throttled attempt with 429 and Retry-After (RFC 6585 §4)", () => {
    const { status, headers, html } = pages.signInPage(
      { ...signInSample, error: "throttled", retryAfterMinutes: 3 },
      frame,
    );
    expect([status, headers["retry-after"]]).toEqual([429, "180"]);
    expect(textOf(html)).toContain("Try again in 3 minutes.");
  });

  it("suggests another way to sign in instead of waiting for days", () => {
    const { html } = pages.signInPage({ ...signInSample, error: "throttled", retryAfterMinutes: 43_200 }, frame);
    expect(textOf(html)).toMatch(/Reset the password, or sign in with a passkey\..*Reset your password/);
    expect(textOf(html)).not.toContain("43,200");
  });
});

describe("pick a session (rule PAGE-1: names and ids)", () => {
  const { html } = selectAccountSample(frame);

  it("has a button per session, one to end it, and one for another account", () => {
    const values = (name: string) => tagsOf(html).flatMap((tag) => (tag.name === name ? tag.value : []));
    expect(values("session")).toEqual(["s1", "s2"]);
    expect(values("remove-session")).toEqual(["s1", "s2"]);
    expect(byId(html, "use-another-account")).toMatchObject({ tag: "button", name: "use-another-account" });
  });

  it.each([
    ["en", "Sign out", "Sign out of "],
    ["fr", "Se déconnecter", "Déconnecter "],
  ] as const)("says in words what ends a session, and to screen readers whose: %s", (language, words, beginning) => {
    const buttons = [
      ...selectAccountSample(frameOf(language)).html.matchAll(/<button[^>]*name="remove-session".*?<\/button>/gs),
    ];
    expect(buttons).toHaveLength(2);
    for (const [button] of buttons) {
      expect(button).toContain(`<span aria-hidden="true">${words}</span>`);
      expect(button).toContain(`<span class="hidden">${beginning}<bdi>`);
    }
  });

  it("shows which session asks for the password again", () => {
    expect(textOf(html)).toMatch(/Signed in .* Session ended, password needed/);
  });
});

describe("other pages (rule PAGE-1: names and ids)", () => {
  it.each([
    ["continue", "submit"],
    ["setup", "submit"],
    ["sign out?", "confirm-logout"],
  ])("%s has the button %s", (name, id) => {
    expect(byId(everyPage[name]?.(frame).html ?? "", id)).toMatchObject({ tag: "button", name: id, type: "submit" });
  });

  it("setup keeps what was typed, except the password", () => {
    const values = { organizationName: "ACME", email: "ada", givenName: "Ada", familyName: "Lovelace" };
    const { html, status } = pages.setupPage({ ...setupSample, values, errors: { email: "invalid" } }, frame);
    expect(status).toBe(422);
    for (const [id, value] of Object.entries(values)) expect(byId(html, id)?.value).toBe(value);
    expect(byId(html, "password")).not.toHaveProperty("value");
    expect(byId(html, "email")?.["aria-describedby"]).toBe("email-error email-hint");
    expect(hiddenOf(mainOf(html))).toEqual({ token: "secret", ui_locales: "en" });
  });

  it("form post sends only the response parameters (Form Post Response Mode §2)", () => {
    const fields = { code: "c", state: "<&>", iss: "https://id.test" };
    const { html, headers } = pages.formPostPage({ redirectUri: "https://rp.test/cb?a=1&b=2", fields }, frame);
    const named = tagsOf(html).filter(({ tag, name }) => name !== undefined && tag !== "meta");
    expect(hiddenOf(html)).toEqual({ code: "c", state: "&lt;&amp;&gt;", iss: "https://id.test" });
    expect(named).toHaveLength(3);
    expect(tagsOf(html).find(({ tag }) => tag === "form")?.action).toBe("https://rp.test/cb?a=1&amp;b=2");
    expect(headers["content-security-policy"]).toContain("form-action 'self' https://rp.test https:;");
  });

  it.each(errorKinds)("error %s has an error status, the request's number, and no other details", (kind) => {
    const { status, html } = pages.errorPage({ kind }, frame);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(textOf(html)).toContain("0198-request");
    expect(tagsOf(mainOf(html)).some(({ tag }) => tag === "details")).toBe(false);
    expect(titleOf(html)).toMatch(/^Error: /);
  });

  it("an error shows the rejected address collapsed, as text", () => {
    const received = { parameter: "redirect_uri", value: "https://evil.test/\u202ecb" } as const;
    const { html } = pages.errorPage({ kind: "invalid-redirect-uri", received }, frame);
    expect(textOf(html)).toContain("https://evil.test/\\u{202E}cb");
    expect(tagsOf(html).find(({ tag }) => tag === "details")).not.toHaveProperty("open");
    expect(tagsOf(html).filter(({ href }) => href?.includes("evil"))).toEqual([]);
  });

  it("an outage reloads the page automatically, other errors do not", () => {
    const refreshOf = (html: string) => tagsOf(html).find((tag) => tag["http-equiv"] === "refresh")?.content;
    const outage = pages.errorPage({ kind: "unavailable" }, frame);
    expect([outage.headers["retry-after"], refreshOf(outage.html)]).toEqual(["3", "3"]);
    expect(refreshOf(pages.errorPage({ kind: "unexpected" }, frame).html)).toBeUndefined();
  });
});

describe("the language switch", () => {
  const sample = pages.signInPage(signInSample, frame).html;
  const footer = sample.slice(sample.indexOf("<footer>"));

  it("keeps the step and drops the previous language", () => {
    expect(languageForm("/login?flow=a%2Bb&ui_locales=fr&ui_locales=it")).toEqual({
      action: "/login",
      fields: { flow: "a+b" },
    });
  });

  it.each(["//other.test/x", "/..//other.test/x", "/\\other.test/x", "https://other.test/x"])(
    "stays here: %s",
    (from) => {
      expect(languageForm(from).action).toMatch(/^\/(?![/\\])/);
    },
  );

  it("requests the same page again, with the sealed flow once", () => {
    expect(tagsOf(footer).filter(({ tag }) => tag === "form")).toEqual([{ tag: "form", action: "/login" }]);
    expect(hiddenOf(footer)).toEqual({ flow: "sealed" });
  });

  it("names every language in itself, says in which language the name is, and marks the present one", () => {
    const buttons = tagsOf(footer).filter(({ tag }) => tag === "button");
    expect(buttons.map(({ name, value, lang }) => [name, value, lang])).toEqual(
      locales.map(({ tag }) => ["ui_locales", tag, tag]),
    );
    expect(buttons.filter((button) => "aria-current" in button).map(({ value }) => value)).toEqual(["en"]);
    for (const { endonym } of locales) expect(footer).toContain(`><bdi>${endonym}</bdi></button>`);
  });

  it("is omitted in the response to a form", () => {
    const { html } = pages.signInPage(signInSample, { ...frame, languages: undefined });
    expect(html).not.toContain('ui_locales" value="de');
    expect(tagsOf(html).filter(({ tag }) => tag === "form")).toHaveLength(2);
  });
});
