import { describe, expect, it } from "vitest";
import type { Client } from "./client";
import { type ClientDecision, decisionAbout } from "./client-decision";

const person = { organizationId: "acme" };
const decide = (text: string): ClientDecision[] =>
  text.split(", ").map((one) => {
    const [decision, value = ""] = one.split(" ");
    const kind = value.startsWith("id:") ? "client" : "host";
    return { kind, value: value.replace("id:", ""), decision: decision as ClientDecision["decision"] };
  });
type Asked = Pick<Client, "clientId" | "origin" | "standing" | "organizationId">;
const document: Asked = {
  ...{ clientId: "https://agent.example.com/client", origin: "document" },
  ...{ standing: "registered", organizationId: "acme" },
};
const tool: Asked = { ...document, clientId: "tool", origin: "registration" };
const globex: Asked = { ...tool, clientId: "globex-web", origin: "administrator", organizationId: "globex" };
const own: Asked = { ...globex, organizationId: "acme" };
const trusted: Asked = { ...globex, standing: "trusted" };
const consoleClient: Asked = { ...globex, standing: "service" };
const AT = "https://agent.example.com/cb";

describe("the decision about an app (rule TRUST-5)", () => {
  it.each([
    ["a client id before its host", "forbid agent.example.com, allow id:tool", tool, AT, "allow"],
    ["a client id before all apps", "allow *.example.com, forbid id:tool", tool, AT, "forbid"],
    ["a host before its domain", "forbid *.example.com, allow agent.example.com", tool, AT, "allow"],
    ["the longest domain", "allow *.com, forbid *.example.com", tool, AT, "forbid"],
    ["a domain before all apps", "forbid *, allow *.example.com", tool, AT, "allow"],
    ["all apps", "forbid *", tool, AT, "forbid"],
    ["all apps, also without a host", "forbid *", tool, "com.example.agent:/cb", "forbid"],
    ["all apps, also on a loopback address", "forbid *", tool, "http://127.0.0.1:9/cb", "forbid"],
    [
      "the host of a document before the redirect URI",
      "allow agent.example.com",
      document,
      "http://127.0.0.1/",
      "allow",
    ],
    ["a document on a forbidden host", "forbid agent.example.com", document, "https://other.test/", "forbid"],
    ["an app of another organization", "forbid agent.example.com", globex, AT, "forbid"],
    [
      "a redirect URI without TLS if it forbids",
      "forbid agent.example.com",
      tool,
      "http://agent.example.com/",
      "forbid",
    ],
    ["the client id of an own app", "forbid id:globex-web", own, AT, "forbid"],
    ["the client id of a trusted app", "forbid id:globex-web", trusted, AT, "forbid"],
  ] as const)("is that of %s", (_, decisions, client, redirectUri, expected) => {
    expect(decisionAbout(decide(decisions), client, redirectUri, person)).toBe(expected);
  });

  it.each([
    ["another client id", "forbid id:tools", tool, AT],
    ["another host", "forbid example.com, forbid *.agent.example.com", tool, AT],
    [
      "a host that is allowed without TLS, which anyone on the way can claim",
      "allow agent.example.com",
      tool,
      "http://agent.example.com/",
    ],
    ["a loopback address by its name", "allow localhost", tool, "http://localhost:9/cb"],
    ["a device without a host", "allow *.example.com", tool, undefined],
    ["hosts of an own app", "forbid *", own, AT],
    ["hosts of a trusted app", "forbid *", trusted, AT],
    ["the console", "forbid *, forbid id:globex-web", consoleClient, AT],
  ] as const)("is none for %s", (_, decisions, client, redirectUri) => {
    expect(decisionAbout(decide(decisions), client, redirectUri, person)).toBeUndefined();
  });
});
