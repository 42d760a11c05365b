import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { consoleMessages } from "../../../messages/console";
import { complianceProblems } from "../../../server/directory/app/compliance";
import { apiSettings, oidcSettings } from "../../../server/directory/app/settings";
import { checkRedirectUri, type RedirectRules } from "../../../server/protocol/redirect-uri";
import type { App } from "./app";
import { environmentFile } from "./environment";
import {
  FRAMEWORKS,
  frameworkOf,
  frameworksOf,
  inOrder,
  JWT_APIS,
  missingSettings,
  type NeededSettings,
  neededSettings,
  redirectUriFor,
} from "./frameworks";
import { EXAMPLE_FILES } from "./generated/example-files";
import { EXAMPLES } from "./generated/examples";
import { ownSecrets } from "./kept-secret";
import { APP_KINDS, grantTypesFor, SAFE_SETTINGS, signsIn } from "./kinds";
import type { Snippet } from "./snippet";
import { filesWith } from "./snippet-code";

/** The snippets for apps that users sign in to, with the kind that the wizard creates. */
const STACKS = EXAMPLES.flatMap((snippet) => {
  const kind = frameworkOf(snippet.id)?.kind;
  return snippet.addresses && kind && signsIn(kind) ? [{ snippet, kind }] : [];
});
const stackOf = (id: string) => STACKS.find(({ snippet }) => snippet.id === id);

const values = { issuer: "http://localhost:8080", clientId: "c-1", projectId: "p-1" };

describe("what the wizard registers for a framework", () => {
  it.each(STACKS.map((stack) => [stack.snippet.id, stack] as const))(
    "is the address that its code returns to: %s",
    (_, stack) => {
      const { snippet, kind } = stack;
      const { redirectUri = "", postLogoutRedirectUri } = snippet.addresses ?? {};
      const code = filesWith(snippet, { ...values, redirectUri, postLogoutRedirectUri })
        .map((file) => file.code)
        .join("\n");
      // The complete address, or, if the library builds it, its path and the port of the server.
      const { port, pathname } = new URL(redirectUri);
      const isOwn = snippet.addresses?.hasFixedPath === true;
      expect(code.includes(redirectUri) || code.includes(`"${pathname}"`) || isOwn).toBe(true);
      if (kind === "web" && snippet.id !== "next") expect(code).toContain(port);
      expect(redirectUriFor(snippet, { redirectUris: [redirectUri] })).toBe(redirectUri);

      const type = { web: "web", browser: "user_agent", native: "native", device: "native" } as const;
      const rules: RedirectRules = {
        applicationType: type[kind],
        authenticationMethod: kind === "web" ? "client_secret_basic" : "none",
        responseTypes: ["code"],
        devMode: false,
      };
      expect(checkRedirectUri(redirectUri, rules)).toBeUndefined();
    },
  );

  it("keeps the path that the library chooses when the app has another host", () => {
    const next = stackOf("next")?.snippet;
    const express = stackOf("express")?.snippet;
    if (!next || !express) throw new Error("no such stack");
    const redirectUris = ["https://shop.test/callback"];
    expect(redirectUriFor(next, { redirectUris })).toBe("https://shop.test/api/auth/callback/identity");
    expect(redirectUriFor(express, { redirectUris })).toBe("https://shop.test/callback");
    const both = [...redirectUris, "https://shop.test/api/auth/callback/identity"];
    expect(redirectUriFor(next, { redirectUris: both })).toBe(both[1]);
  });

  it("shows the code of the chosen framework first, else that of the registered address", () => {
    const first = (chosen: string | undefined, uri: string) => inOrder(EXAMPLES, chosen, [uri])[0]?.id;
    expect(first("go", "http://localhost:3000/callback")).toBe("go");
    expect(first(undefined, "http://localhost:3003/login/oauth2/code/identity")).toBe("spring");
    expect(first("made-up", "https://shop.test/x")).toBe(EXAMPLES[0]?.id);
  });
});

describe("the files of an example", () => {
  it.each(EXAMPLES.map((example) => [example.id, example] as const))("contain the values of the app: %s", (_, one) => {
    const own = { issuer: "https://id.test", clientId: "c-1", projectId: "p-1" };
    const addresses = { redirectUri: "https://shop.test/back", postLogoutRedirectUri: undefined };
    const code = filesWith(one, { ...own, ...addresses })
      .map((file) => file.code)
      .join("\n");
    expect(code).toContain("id.test");
    expect(code).not.toMatch(/localhost:8080|demo-client|demo-project|http: on this machine/);
    if (one.addresses && !one.addresses.hasFixedPath) expect(code).not.toContain(one.addresses.redirectUri);
  });
});

describe("the ports of the examples", () => {
  const portOf = ({ addresses, port }: Snippet) => {
    const uri = addresses?.redirectUri ?? "";
    return uri.startsWith("http://localhost:") ? Number(new URL(uri).port) : port;
  };
  it("are unique, so that any of them run side by side, and are those that the programs use", () => {
    const listening = EXAMPLES.filter(({ id }) => id !== "oidc-agent"); // it listens for a moment only
    const ports = listening.flatMap((example) => portOf(example) ?? []);
    expect(new Set(ports).size).toBe(ports.length);
    expect(ports).not.toContain(8080); // the service itself
    for (const example of listening) {
      const port = portOf(example);
      if (port === undefined || example.id === "next") continue; // Next.js listens on 3000 by itself
      const code = EXAMPLE_FILES[example.id]?.map((file) => file.code) ?? [];
      expect([example.run, ...code].join("\n"), example.id).toContain(String(port));
    }
  });
});

describe("the .env of an application", () => {
  it("contains every variable that the code reads", () => {
    for (const { snippet, kind } of STACKS) {
      if (kind !== "web") continue;
      const file = environmentFile({ ...values, clientSecret: "s-1" }, snippet, () => "own");
      const code = filesWith(snippet, { ...values, redirectUri: undefined, postLogoutRedirectUri: undefined }).map(
        (one) => one.code,
      );
      const read = [...code.join("\n").matchAll(/\b(?:ISSUER|CLIENT_ID|CLIENT_SECRET|[A-Z]+_(?:SECRET|KEY))\b/g)].map(
        ([name]) => name,
      );
      expect(read).toContain("CLIENT_SECRET");
      for (const name of read) expect(file, snippet.id).toMatch(new RegExp(`^${name}=.`, "m"));
    }
  });

  it("is read the same by a shell and by a library, and never runs a command", () => {
    const odd = environmentFile(
      { issuer: "https://id.test/a b", clientId: "$(x)'", clientSecret: "s" },
      undefined,
      String,
    );
    expect(odd).toBe("ISSUER='https://id.test/a b'\nCLIENT_ID='$(x)'\nCLIENT_SECRET=s\n");
  });

  it("has the same generated secrets each time on a page, and states that the client secret was shown only once", () => {
    const next = stackOf("next")?.snippet;
    const here = ownSecrets();
    const one = environmentFile(values, next, here.secretFor);
    expect(one).toMatch(/\n# Shown only when it was created:\nCLIENT_SECRET=\nAUTH_SECRET=[\da-f]{64}\n$/);
    expect(environmentFile(values, next, here.secretFor)).toBe(one);
    expect(environmentFile(values, next, ownSecrets(here.all()).secretFor)).toBe(one); // handed over to another page
    expect(environmentFile(values, next, ownSecrets().secretFor)).not.toBe(one);
  });
});

describe("the frameworks that the wizard knows", () => {
  it("have unique ids, and every kind has several", () => {
    expect(new Set(FRAMEWORKS.map(({ id }) => id)).size).toBe(FRAMEWORKS.length);
    for (const kind of APP_KINDS) expect(frameworksOf(kind).length, kind).toBeGreaterThan(1);
  });

  it("need only settings that the API accepts for their kind", () => {
    for (const { id, kind, settings, keySettings, callerSettings } of FRAMEWORKS) {
      for (const needed of [settings, keySettings, callerSettings]) {
        const isApi = kind === "api" && needed !== callerSettings;
        const shape = isApi ? apiSettings : oidcSettings;
        if (kind !== "machine") expect(shape.safeParse(needed ?? {}).success, id).toBe(true);
        else expect(Object.keys(needed ?? {}), id).toEqual(needed ? ["legacyAssertionAudience"] : []);
      }
    }
  });

  it("have a text for every setting that names the framework", () => {
    const texts = consoleMessages.en?.apps.by.because ?? {};
    const used = new Set(
      FRAMEWORKS.flatMap(({ settings, keySettings, callerSettings }) =>
        Object.keys({ ...settings, ...keySettings, ...callerSettings }),
      ),
    );
    expect(Object.keys(texts).sort()).toEqual([...used].sort());
    for (const text of Object.values(texts)) expect(text).toContain("{framework}");
  });

  it("get exactly the settings that they need", () => {
    const settingsOf = (id: string, credential: "secret" | "key" = "secret", calls?: string) =>
      neededSettings({ framework: frameworkOf(id), credential, calls: frameworkOf(calls) }).settings;
    expect(settingsOf("next")).toEqual({ idTokenUserinfoAssertion: true });
    expect(settingsOf("passport")).toEqual({ idTokenUserinfoAssertion: true });
    expect(settingsOf("express")).toEqual({});
    for (const id of ["spring", "django", "pyoidc", "mod-auth-openidc", "go-machine", "nimbus"]) {
      expect(settingsOf(id), id).toEqual({});
      expect(settingsOf(id, "key"), id).toEqual({ legacyAssertionAudience: true });
    }
    expect(settingsOf("passport-zitadel", "key")).toEqual({ allowAssertionReuse: true });
    expect(settingsOf("react", "secret", "go-jwt")).toEqual({ accessTokenType: "OIDC_TOKEN_TYPE_JWT" });
    for (const id of ["spring-issuer", "fastapi-zitadel-auth"]) {
      const plain = { accessTokenType: "OIDC_TOKEN_TYPE_JWT", accessTokenJwtType: "JWT" };
      expect(settingsOf("react", "secret", id), id).toEqual(plain);
    }
    expect(neededSettings({ framework: undefined, credential: "key" })).toEqual({ settings: {}, reasons: [] });
  });

  it("get the device grant only if there may be no browser", () => {
    const withDevice = (["web", "browser", "native", "device"] as const).filter((kind) =>
      grantTypesFor(kind, ["http://127.0.0.1/callback"]).some((grant) => grant === "OIDC_GRANT_TYPE_DEVICE_CODE"),
    );
    expect(withDevice).toEqual(["device"]);
    const television = grantTypesFor("device", []);
    expect(television).toEqual(["OIDC_GRANT_TYPE_REFRESH_TOKEN", "OIDC_GRANT_TYPE_DEVICE_CODE"]);
    const settings = { ...SAFE_SETTINGS.device, grantTypes: [...television], responseTypes: [] };
    expect(complianceProblems(settings, false)).toEqual([]);
  });

  it("report the settings that an app lacks when it was created for another framework", () => {
    const appOf = (config: object) => ({ oidcConfig: { appType: "OIDC_APP_TYPE_WEB", ...config } }) as unknown as App;
    const secret = { authMethodType: "OIDC_AUTH_METHOD_TYPE_BASIC" };
    expect(missingSettings("next", appOf(secret)).settings).toEqual({ idTokenUserinfoAssertion: true });
    expect(missingSettings("next", appOf({ ...secret, idTokenUserinfoAssertion: true })).reasons).toEqual([]);
    expect(missingSettings("express", appOf(secret)).reasons).toEqual([]);
    expect(missingSettings("spring", appOf(secret)).reasons).toEqual([]);
    const key = { authMethodType: "OIDC_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT", legacyAssertionAudience: false };
    expect(missingSettings("spring", appOf(key)).settings).toEqual({ legacyAssertionAudience: true });
  });

  it("are the frameworks that docs/clients.md lists", () => {
    const cell = (needed: NeededSettings | undefined) =>
      Object.entries(needed ?? {})
        .map(([name, value]) => (value === true ? `\`${name}\`` : `\`${name}\` \`${value}\``))
        .join(", ");
    const rows = FRAMEWORKS.flatMap(({ title, kind, settings, keySettings, callerSettings }) => {
      const always = cell(settings);
      const withKey = cell(keySettings);
      const callers = cell(callerSettings);
      if (!always && !withKey && !callers) return [];
      const needs = [always, withKey && `with a key: ${withKey}`, callers && `apps that call it: ${callers}`].filter(
        Boolean,
      );
      return [`| ${title} | ${kind} | ${needs.join("; ")} |`];
    });
    const file = readFileSync(path.join(import.meta.dirname, "../../../docs/clients.md"), "utf8");
    const section = file.split("\n## ").find((part) => part.startsWith("What the wizard sets\n")) ?? "";
    expect(
      section
        .split("\n")
        .filter((line) => /^\| [^-]/.test(line))
        .slice(1),
    ).toEqual(rows);
    expect(JWT_APIS.length).toBeGreaterThan(0);
  });
});
