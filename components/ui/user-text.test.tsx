import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { linkTarget } from "./links";
import { Initial, LoginName, Name, plainName, visibleText, Who } from "./user-text";

describe("Text from users", () => {
  it("is isolated and escaped", () => {
    expect(renderToStaticMarkup(<Name>{'<script>alert("1")</script>'}</Name>)).toBe(
      "<bdi>&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;</bdi>",
    );
  });

  it("loses direction controls and keeps the marks that Arabic and Hebrew need (UAX #9)", () => {
    expect(plainName("a\u202eb\u2066c\u2069\u202c")).toBe("abc");
    expect(plainName("שלום\u200f \u061cمرحبا")).toBe("שלום\u200f \u061cمرحبا");
  });

  it("shows invisible characters to developers", () => {
    expect(visibleText("https://rp.test/\u202ecb\u0000\u200b\n\u{e0001}")).toBe(
      "https://rp.test/\\u{202E}cb\\u{0000}\\u{200B}\\u{000A}\\u{E0001}",
    );
    expect(visibleText("\ud800")).toBe("\\u{D800}");
  });

  it("shows a user without a name only by the login name", () => {
    const textOf = (displayName: string) =>
      renderToStaticMarkup(<Who displayName={displayName} loginName="ada@acme.test" />).replace(/<[^>]+>/g, " ");
    expect(textOf("Ada Lovelace").match(/\S+/g)).toEqual(["Ada", "Lovelace", "ada", "@acme.test"]);
    for (const none of ["", "ada@acme.test"]) expect(textOf(none).match(/\S+/g)).toEqual(["ada", "@acme.test"]);
  });

  it("breaks a login name before the @", () => {
    expect(renderToStaticMarkup(<LoginName>ada@acme.test</LoginName>)).toBe(
      '<bdi>ada<span class="suffix"><wbr/>@acme.test</span></bdi>',
    );
    expect(renderToStaticMarkup(<LoginName>ada</LoginName>)).toBe("<bdi>ada</bdi>");
  });

  it("uses whole characters as initials, hidden from screen readers", () => {
    expect(renderToStaticMarkup(<Initial of=" ada" />)).toBe('<span class="initial" aria-hidden="true">A</span>');
    expect(renderToStaticMarkup(<Initial of="👩‍🚀 Eva" />)).toContain("👩");
    expect(renderToStaticMarkup(<Initial of="" />)).toContain("></span>");
  });
});

describe("The addresses that links may have", () => {
  it.each([
    ["/login?x=1", "/login?x=1"],
    ["https://rp.test/bye", "https://rp.test/bye"],
    ["http://127.0.0.1:1/cb", "http://127.0.0.1:1/cb"],
    ["com.example.app:/bye", "com.example.app:/bye"],
    ["//other.test", undefined],
    ["/\\other.test", undefined],
    ["javascript:alert(1)", undefined],
    ["JaVaScRiPt:alert(1)", undefined],
    ["java\nscript:alert(1)", undefined],
    [" javascript:alert(1)", undefined],
    ["data:text/html,x", undefined],
    ["file:///etc/passwd", undefined],
    ["login", undefined],
    ["", undefined],
    [undefined, undefined],
  ])("%j → %j", (href, target) => {
    expect(linkTarget(href)).toBe(target);
  });
});
