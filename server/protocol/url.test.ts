import { describe, expect, it } from "vitest";
import { parseUrl } from "./url";

describe("parseUrl", () => {
  it.each([
    ["https://bücher.test/cb", "https://xn--bcher-kva.test/cb"],
    ["https://例.test/", "https://xn--fsq.test/"],
    ["http://[::1]:8080", "http://[::1]:8080/"],
    ["com.example.app:/cb", "com.example.app:/cb"],
  ])("parses as the standard requires, however often it is called: %s", (text, href) => {
    let wrong = 0;
    for (let count = 0; count < 20_000; count++) if (parseUrl(text)?.href !== href) wrong++;
    expect(wrong).toBe(0);
  });

  it.each(["", "/path", "https://", "http://a b"])("rejects %j", (text) => expect(parseUrl(text)).toBeUndefined());
});
