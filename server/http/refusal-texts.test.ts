import { generateKeyPairSync } from "node:crypto";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { refusalMessages } from "../../messages/refusals";
import { oidcSettings } from "../directory/app/settings";
import * as field from "../directory/fields";
import { wholeNumber } from "../directory/policy/settings";
import { mailSettingsSchema } from "../directory/provider/smtp-address";
import { jwkFromPem } from "../directory/public-key";
import { alreadyExists, apiErrorBody, fieldProblem, invalidArgument, notFound } from "../protocol/api-error";
import { inputIssues, wordIssue } from "../protocol/input-issues";
import { checkBackChannelUri } from "../protocol/public-address";
import { REASONS, type Reason, type ReasonId, reason } from "../protocol/reason";
import { checkRedirectUri } from "../protocol/redirect-uri";
import { REFUSALS } from "../protocol/refusals";
import { localizedBody, OF_WORDS, reasonText, refusalText } from "./refusal-texts";

const languages = Object.keys(refusalMessages);
const german = refusalMessages.de?.by;
const placesIn = (sentence: string) => [...sentence.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? "");

describe("refusals in the caller's language", () => {
  it("have a sentence in every language for every reason, and no unused sentence", () => {
    const wrong = languages.flatMap((language) => {
      const texts: Readonly<Record<string, string>> = refusalMessages[language]?.by.reason ?? {};
      const differ = Object.keys({ ...REASONS, ...texts }).filter((id) => !(id in REASONS) || !texts[id]?.trim());
      // A translation may omit a value, but cannot use an unknown one.
      const invented = Object.entries(texts).filter(([id, text]) =>
        placesIn(text).some((name) => !placesIn(REASONS[id as ReasonId]).includes(name)),
      );
      return [...differ, ...invented.map(([id]) => id)].map((id) => `${language} ${id}`);
    });
    expect(wrong).toEqual([]);
  });

  it("have a sentence in every language for every slug, and none without a slug", () => {
    const told = new Set(Object.values(REFUSALS).filter((text) => text !== "reasons" && text !== "text"));
    const faults = Object.entries(REFUSALS).flatMap(([id, text]) => (text === "text" ? [id.split(".")[1]] : []));
    // Messages and pages share most of them.
    const slugs = [...new Set([...faults, ...OF_WORDS.map((name) => `word_${name}`)])];
    for (const language of languages) {
      const by = refusalMessages[language]?.by;
      expect([language, Object.keys(by?.id ?? {}).sort()]).toEqual([language, [...told].sort()]);
      expect([language, Object.keys(by?.text ?? {}).sort()]).toEqual([language, slugs.sort()]);
    }
  });

  it.each(languages.filter((tag) => tag !== "en"))("are translated to %s", (language) => {
    const by = refusalMessages[language]?.by;
    expect(refusalText(language, notFound("app.not_found", "There is no such app."))).toBe(by?.id.gone);
    expect(reasonText(language, reason("too_long", { n: 7 }))).toBe(by?.reason.too_long.replace("{n}", "7"));
  });

  it("have separate sentences for page texts, alone and within a file", () => {
    const problem = { message: "", field: "signIn.toApp" };
    const ofWords = `signIn.toApp: ${german?.text.word_foreign_address}`;
    expect(refusalText("de", { ...problem, id: "login_text.foreign_address" })).toBe(ofWords);
    expect(refusalText("de", { ...problem, id: "text_file.malformed", within: "login_text.foreign_address" })).toBe(
      ofWords,
    );
    const ofMessages = refusalText("de", { ...problem, id: "message_text.foreign_address" });
    expect(ofMessages).toBe(`signIn.toApp: ${german?.text.foreign_address}`);
    expect(ofWords).not.toBe(ofMessages);
  });

  it("insert the values of a reason once", () => {
    expect(reasonText("de", reason("one_or_other", { one: "{other}", other: "b" }))).toContain("{other}");
    expect(reasonText("en", reason("most", { n: 5 }))).toBe("must be at most 5");
  });

  it.each<[ReasonId, z.ZodType, unknown]>([
    ["required", field.name, undefined],
    ["string", field.name, 5],
    ["empty", field.name, ""],
    ["too_long", field.name, "x".repeat(201)],
    ["too_short", field.secret, "x"],
    ["control", field.name, "a\u0007b"],
    ["blanks", field.name, " a"],
    ["email", field.email, "a@b@"],
    ["domain", field.domain, "a b"],
    ["phone", field.phone, "12"],
    ["web_address", field.webAddress, "ftp://x"],
    ["duration", field.durationText(0), "soon"],
    ["duration_least", field.durationText(), "soon"],
    ["whole_number", wholeNumber(1, 5), 1.5],
    ["least", wholeNumber(1, 5), 0],
    ["most", wholeNumber(1, 5), 6],
    ["entries", oidcSettings, { redirectUris: Array(1_000).fill("https://a.test/") }],
    ["unknown_member", oidcSettings, { other: 1 }],
    ["one_of", oidcSettings, { appType: "x" }],
    ["at_sign", field.userName, "@a"],
    ["id_characters", field.identifier, "a b"],
    ["origin", oidcSettings, { additionalOrigins: ["https://a.test/path"] }],
    ["smtp_address", mailSettingsSchema, { smtpUrl: "http://a.test" }],
    ["smtp_port", mailSettingsSchema, { smtpUrl: "smtp://a.test:99" }],
    ["no_parameters", mailSettingsSchema, { smtpUrl: "smtp://a.test?a=b" }],
    ["mailbox", mailSettingsSchema, { smtpUrl: "smtp://a.test", sender: "a" }],
    ["blanks", field.name.or(field.name.length(0)), " a"],
    // No language has a sentence for "at least 1 characters".
    ["empty", z.string().min(1), ""],
    ["empty", z.array(z.string()).min(1), []],
  ])("give a field the reason %s", (id, schema, value) => {
    const { error } = schema.safeParse(value, { error: wordIssue });
    expect(error && inputIssues(error)[0]?.reason.id).toBe(id);
  });

  const web = {
    applicationType: "web",
    devMode: false,
    authenticationMethod: "none",
    responseTypes: ["code"],
  } as const;
  const weak = generateKeyPairSync("rsa", { modulusLength: 1024 }).publicKey.export({ type: "spki", format: "pem" });
  const odd = generateKeyPairSync("ec", { namedCurve: "secp256k1" }).publicKey.export({ type: "spki", format: "pem" });
  it.each<[ReasonId, unknown]>([
    ["long_address", checkRedirectUri(`https://a.test/${"a".repeat(2_048)}`, web)],
    ["fragment", checkRedirectUri("https://a.test/#a", web)],
    ["wildcard", checkRedirectUri("https://*.test/", web)],
    ["uri_characters", checkRedirectUri("https://ä.test/", web)],
    ["absolute", checkRedirectUri("/cb", web)],
    ["answer_parameter", checkRedirectUri("https://a.test/?code=1", web)],
    ["address_parts", checkRedirectUri("https://a:b@c.test/", web)],
    ["no_user_name", checkRedirectUri("a://b@c", { ...web, applicationType: "native" })],
    ["https", checkRedirectUri("http://a.test/", web)],
    ["scheme", checkRedirectUri("javascript:alert(1)", web)],
    ["own_scheme", checkRedirectUri("myapp:/cb", { ...web, applicationType: "native" })],
    ["private_network", checkBackChannelUri("https://127.0.0.1/", { ...web, onLoopback: false })],
    ["https_or_dev", checkBackChannelUri("http://127.0.0.1/", { ...web, onLoopback: true })],
    ["private_key", jwkFromPem("-----BEGIN PRIVATE KEY-----")],
    ["public_key", jwkFromPem("x")],
    ["key_bits", jwkFromPem(String(weak))],
    ["key_kind", jwkFromPem(String(odd))],
  ])("give an address or a key the reason %s", (id, found) => {
    expect((found as Reason).id).toBe(id);
  });

  it("name the field before its reason", () => {
    const problem = fieldProblem("app.invalid_address", "redirectUris[0]", reason("https"));
    expect(refusalText("de", problem)).toBe(`redirectUris[0]: ${german?.reason.https}`);
    expect(refusalText("en", problem)).toBe("redirectUris[0] must use https");
    expect(refusalText("en", problem, "user")).toBe(`redirectUris[0]: ${refusalMessages.en?.by.reason.https}`);
  });

  it("contain the reason of a mistake in a file", () => {
    const message = "organizations[0].users[0].userName This username is already taken. Choose another.";
    const mistake = { id: "apply.mistake", field: "organizations[0].users[0].userName", message } as const;
    const within = "user.already_exists";
    expect(refusalText("de", { ...mistake, within })).toBe(`${mistake.field}: ${german?.id.user_name_taken}`);
  });

  it("append a server's response to our sentence", () => {
    const failed = { id: "mail_settings.test_failed", message: "The mail was not sent: 550." } as const;
    expect(refusalText("de", failed)).toBe("Die E-Mail konnte nicht gesendet werden. (The mail was not sent: 550.)");
  });

  it("differ only in the sentences", () => {
    const error = alreadyExists("user.already_exists", "This username is already taken. Choose another.", {
      field: "userName",
    });
    const { details, ...rest } = apiErrorBody(error);
    const message = "Dieser Benutzername ist bereits vergeben. Wählen Sie einen anderen.";
    expect(localizedBody(error, "de")).toEqual({ ...rest, message, details });
    expect(localizedBody(error, "en")).toEqual(apiErrorBody(error));
    const problems = [
      fieldProblem("request.invalid", "name", reason("required")),
      { id: "apply.mistake", message: "is not UTF-8 text" } as const,
    ];
    const several = localizedBody(invalidArgument("request.invalid", "name is required", { problems }), "de");
    const required = `name: ${german?.reason.required}`;
    expect(several.message).toBe(required);
    expect(several.details.map((detail) => detail.message)).toEqual([required, "is not UTF-8 text"]);
  });
});
