import { describe, expect, it } from "vitest";
import { addressIn, parseAddress, textAddress } from "./address";
import { curlCommand } from "./curl";
import { shownFields } from "./messages";

const acme = { organizationId: "ac me" };
const instance = { organizationId: undefined };
const address = { type: "init", language: "de" } as const;

describe("Addresses of texts", () => {
  it("name the level, the message and the language", () => {
    expect(textAddress(acme, address)).toBe("/console/organizations/ac%20me/texts/init/de");
    expect(textAddress(instance, address)).toBe("/console/texts/init/de");
  });

  it("are parsed, and other paths are not", () => {
    for (const place of [acme, instance]) expect(addressIn(place, textAddress(place, address))).toEqual(address);
    for (const path of ["/console/texts", "/console/texts/init/de/x", "/console/texts/init/x_", "/console/mail"]) {
      expect(addressIn(instance, path)).toBeUndefined();
    }
    expect(addressIn(instance, textAddress(acme, address))).toBeUndefined();
    expect(addressIn(acme, textAddress(instance, address))).toBeUndefined();
    const typed = "/console/organizations/a@b/texts/init/de";
    expect(addressIn({ organizationId: "a@b" }, typed)).toEqual(address);
    expect(parseAddress("__proto__", "de")).toBeUndefined();
    expect(parseAddress("init", "DE")).toBeUndefined();
  });
});

describe("The curl command", () => {
  const call = { baseUrl: "https://id.example.com", scope: acme, address, sequence: "3" };

  it("contains exactly the request of the page, and no text can end its quotes", () => {
    expect(curlCommand({ ...call, values: { subject: "It's $HOME `x`", title: "" } })).toBe(
      [
        "curl -X PUT 'https://id.example.com/management/v1/text/message/init/de' \\",
        '  -H "Authorization: Bearer $TOKEN" \\',
        "  -H 'x-service-orgid: ac me' \\",
        `  -H 'If-Match: "3"' \\`,
        "  -H 'Content-Type: application/json' \\",
        "  --data-binary '{",
        `  "subject": "It'\\''s $HOME \`x\`"`,
        "}'",
      ].join("\n"),
    );
  });

  it("resets the text if no field is set", () => {
    const command = curlCommand({ ...call, scope: instance, values: {} });
    expect(command).toContain("curl -X DELETE 'https://id.example.com/admin/v1/text/message/init/de'");
    expect(command).not.toMatch(/orgid|data/);
  });
});

describe("The fields of a message", () => {
  const fields = (["title", "preHeader", "subject", "greeting", "text", "buttonText", "footerText"] as const).map(
    (name) => ({ name, limit: 500 }),
  );
  const names = (isShortMessage: boolean, values = {}) =>
    shownFields({ isShortMessage, fields }, values).map(({ name }) => name);

  it("are in the order of a mail", () => {
    expect(names(false)).toEqual(["subject", "preHeader", "title", "greeting", "text", "buttonText", "footerText"]);
  });

  it("are only the text for phones, plus other fields that are set", () => {
    expect(names(true)).toEqual(["text"]);
    expect(names(true, { title: "T", greeting: "" })).toEqual(["title", "text"]);
  });
});
