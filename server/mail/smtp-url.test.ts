import { describe, expect, it } from "vitest";
import { smtpOptions } from "./smtp-url";

describe("SMTP_URL (RFC 6409 §3.1, RFC 8314 §3.3)", () => {
  it.each([
    ["smtp://mail.test", { host: "mail.test", port: 587, secure: false, requireTLS: false, auth: undefined }],
    ["smtps://mail.test", { host: "mail.test", port: 465, secure: true, requireTLS: false }],
    ["smtp://mail.test:2525", { port: 2525 }],
    ["smtp://[::1]:25", { host: "::1", port: 25 }],
    ["smtp://u%40x.test:p%2Fw@mail.test", { auth: { user: "u@x.test", pass: "p/w" } }],
    ["smtp://u:100%@mail.test", { auth: { user: "u", pass: "100%" } }],
    ["smtp://mail.test?name=id.example.com", { name: "id.example.com" }],
  ])("reads %s", (url, options) => {
    expect(smtpOptions(url)).toMatchObject(options);
  });

  it.each([
    ["smtp://u:p@mail.test", true],
    ["smtp://u:p@10.0.0.1", true],
    ["smtp://u:p@localhost", false],
    ["smtp://u:p@127.0.0.1:2525", false],
    ["smtp://u:p@mail.test?ignoreTLS=true", false],
    ["smtp://mail.test?requireTLS=true", true],
    ["smtps://u:p@mail.test", false],
  ])("sends no password in plain text: %s requires TLS: %s", (url, required) => {
    expect(smtpOptions(url).requireTLS).toBe(required);
  });
});
