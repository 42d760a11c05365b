import { generateKeyPairSync } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import type { z } from "zod";
import { consoleLocales, consoleMessages } from "../../messages/console";
import { oidcSettings } from "../directory/app/settings";
import { mailSettingsSchema } from "../directory/email-provider/address";
import * as field from "../directory/fields";
import { wholeNumber } from "../directory/policy/settings";
import { jwkFromPem } from "../directory/public-key";
import { alreadyExists, apiErrorBody, invalidArgument } from "../protocol/api-error";
import { wordIssue } from "../protocol/input-issues";
import { checkBackChannelUri } from "../protocol/public-address";
import { checkRedirectUri } from "../protocol/redirect-uri";
import { isTranslated, localizedBody, refusalText } from "./refusal-texts";

const server = fileURLToPath(new URL("..", import.meta.url));

/** Where refusals of the management APIs are made. */
const FOLDERS = ["access", "bootstrap", "directory", "api", "console", "keys", "mail", "service", "texts"];
const STATES = ["active", "inactive"];

/** Every slug that is refused with, read from the sources: `notFound("app.not_found", …)`. */
const refused = new Set(
  FOLDERS.flatMap((folder) => {
    const names = readdirSync(`${server}${folder}`, { recursive: true, encoding: "utf8" });
    return names.map((name) => `${folder}/${name}`);
  })
    .filter((path) => /(?<!\.test)\.ts$/.test(path))
    .flatMap((path) => {
      const text = readFileSync(server + path, "utf8");
      const made =
        /\b(?:invalidArgument|notFound|alreadyExists|permissionDenied|resourceExhausted|failedPrecondition|aborted|unimplemented|internal|unavailable|unauthenticated)\(\s*(?:"([a-z_]+\.[a-z_]+)"|`([a-z_]+\.[a-z_]+)\$\{state\}`)/g;
      return [...text.matchAll(made)].flatMap(([, slug, begin]) =>
        slug ? [slug] : STATES.map((state) => `${begin}${state}`),
      );
    }),
);

/** What has no sentence of its own. */
const UNSAID: Readonly<Record<string, string>> = {
  "apply.mistake": "names the place in the file",
  "request.invalid": "each field has its reason, see below",
};

describe("refusals in the language of the console", () => {
  it("have words for every slug, or a reason why not", () => {
    expect(refused.size).toBeGreaterThan(90);
    expect([...refused].filter((slug) => !isTranslated(slug) && !(slug in UNSAID))).toEqual([]);
    expect(Object.keys(UNSAID).filter((slug) => isTranslated(slug) || !refused.has(slug))).toEqual([]);
  });

  it.each(consoleLocales.filter((tag) => tag !== "en"))("are told in %s", (locale) => {
    const gone = refusalText(locale, { id: "app.not_found", message: "There is no such app." });
    expect(gone).toBe(consoleMessages[locale]?.refusals.by.id.gone);
  });

  it.each<[string, z.ZodType, unknown]>([
    ["required", field.name, undefined],
    ["empty", field.name, ""],
    ["too_long", field.name, "x".repeat(201)],
    ["too_short", field.secret, "x"],
    ["control", field.name, "a\u0007b"],
    ["blanks", field.name, " a"],
    ["email", field.email, "a@b@"],
    ["domain", field.domain, "a b"],
    ["phone", field.phone, "12"],
    ["web_address", field.webAddress, "ftp://x"],
    ["duration", field.durationText(), "soon"],
    ["whole_number", wholeNumber(1, 5), 1.5],
    ["least", wholeNumber(1, 5), 0],
    ["most", wholeNumber(1, 5), 6],
    ["entries", oidcSettings, { redirectUris: Array(1_000).fill("https://a.test/") }],
    ["at_sign", field.userName, "@a"],
    ["id_characters", field.identifier, "a b"],
    ["origin", oidcSettings, { additionalOrigins: ["https://a.test/path"] }],
    ["smtp_address", mailSettingsSchema, { smtpUrl: "http://a.test" }],
    ["smtp_port", mailSettingsSchema, { smtpUrl: "smtp://a.test:99" }],
    ["no_parameters", mailSettingsSchema, { smtpUrl: "smtp://a.test?a=b" }],
    ["mailbox", mailSettingsSchema, { smtpUrl: "smtp://a.test", sender: "a" }],
  ])("tell of a field that it is refused as %s", (name, schema, value) => {
    const [issue] = schema.safeParse(value, { error: wordIssue }).error?.issues ?? [];
    const problem = { id: "request.invalid", field: "name", message: `name ${issue?.message}` };
    const by = consoleMessages.de?.refusals.by.reason as Record<string, string>;
    const number = /\d+/.exec(issue?.message ?? "")?.[0] ?? "";
    expect(refusalText("de", problem)).toBe(`name: ${by[name]?.replace("{n}", number)}`);
    expect(refusalText("en", problem)).toBeUndefined();
  });

  const web = {
    applicationType: "web",
    devMode: false,
    authenticationMethod: "none",
    responseTypes: ["code"],
  } as const;
  const weak = generateKeyPairSync("rsa", { modulusLength: 1024 }).publicKey.export({ type: "spki", format: "pem" });
  const odd = generateKeyPairSync("ec", { namedCurve: "secp256k1" }).publicKey.export({ type: "spki", format: "pem" });
  it.each<[string, unknown]>([
    ["too_long", checkRedirectUri(`https://a.test/${"a".repeat(2_048)}`, web)],
    ["fragment", checkRedirectUri("https://a.test/#a", web)],
    ["wildcard", checkRedirectUri("https://*.test/", web)],
    ["uri_characters", checkRedirectUri("https://ä.test/", web)],
    ["absolute", checkRedirectUri("/cb", web)],
    ["address_parts", checkRedirectUri("https://a:b@c.test/", web)],
    ["address_parts", checkRedirectUri("a://b@c", { ...web, applicationType: "native" })],
    ["https", checkRedirectUri("http://a.test/", web)],
    ["scheme", checkRedirectUri("javascript:alert(1)", web)],
    ["private_network", checkBackChannelUri("https://127.0.0.1/", { ...web, onLoopback: false })],
    ["private_key", jwkFromPem("-----BEGIN PRIVATE KEY-----")],
    ["public_key", jwkFromPem("x")],
    ["key_bits", jwkFromPem(String(weak))],
    ["key_kind", jwkFromPem(String(odd))],
  ])("tell why an address or a key is refused as %s", (name, reason) => {
    const by = consoleMessages.de?.refusals.by.reason as Record<string, string>;
    const number = /\d+/.exec(String(reason))?.[0] ?? "";
    const problem = { id: "app.invalid_address", field: "at", message: `at ${reason}` };
    expect(refusalText("de", problem)).toBe(`at: ${by[name]?.replace("{n}", number)}`);
  });

  it("tell that a member was given no role", () => {
    const problem = { id: "request.invalid", field: "roles", message: "roles at least one role" };
    expect(refusalText("de", problem)).toBe(`roles: ${consoleMessages.de?.refusals.by.reason.one_role}`);
  });

  it("leave what we have no words for as it is, and what a server answered behind ours", () => {
    expect(refusalText("de", { id: "new.thing", message: "Something new." })).toBeUndefined();
    const failed = { id: "mail_settings.test_failed", message: "The mail was not sent: 550." };
    expect(refusalText("de", failed)).toBe("Die E-Mail wurde nicht gesendet. (The mail was not sent: 550.)");
  });

  it("change nothing but the sentences", () => {
    const error = alreadyExists("user.already_exists", "Somebody has this user name already.", { field: "userName" });
    const { details, ...rest } = apiErrorBody(error);
    const message = "Diesen Benutzernamen hat schon jemand.";
    expect(localizedBody(error, "de")).toEqual({ ...rest, message, details });
    expect(localizedBody(error, "en")).toEqual(apiErrorBody(error));
    const problems = [
      { id: "request.invalid", field: "name", message: "name is required" },
      { id: "new.thing", message: "Something new." },
    ];
    const several = localizedBody(invalidArgument("request.invalid", "name is required", { problems }), "de");
    const required = `name: ${consoleMessages.de?.refusals.by.reason.required}`;
    expect(several.message).toBe(required);
    expect(several.details.map((detail) => detail.message)).toEqual([required, "Something new."]);
  });
});
