import { describe, expect, it } from "vitest";
import { checkRedirectUri, type RedirectRules } from "../../../server/protocol/redirect-uri";
import { environmentFile } from "./environment";
import { SAFE_SETTINGS } from "./kinds";
import { snippets } from "./snippets/all";
import { inOrder, redirectUriFor, STACKS, stackOf } from "./stacks";

const values = { issuer: "http://localhost:8080", clientId: "c-1", projectId: "p-1" };

describe("what the wizard registers for a framework", () => {
  it.each(STACKS.map((stack) => [stack.snippet.id, stack] as const))(
    "is where its code comes back to: %s",
    (_, stack) => {
      const { snippet, kind } = stack;
      const { redirectUri = "", postLogoutRedirectUri } = snippet.addresses ?? {};
      const code = snippet
        .files({ ...values, redirectUri, postLogoutRedirectUri })
        .map((file) => file.code)
        .join("\n");
      // The whole address, or, where the library makes it of its own, its path at the port that is served.
      const { port, pathname } = new URL(redirectUri);
      const isOwn = snippet.addresses?.hasFixedPath === true;
      expect(code.includes(redirectUri) || code.includes(`"${pathname}"`) || isOwn).toBe(true);
      if (kind === "web" && snippet.id !== "next") expect(code).toContain(port);
      expect(redirectUriFor(snippet, { redirectUris: [redirectUri] })).toBe(redirectUri);

      const type = { web: "web", browser: "user_agent", native: "native" } as const;
      expect(SAFE_SETTINGS).toHaveProperty(kind);
      const rules: RedirectRules = {
        applicationType: type[kind as keyof typeof type],
        authenticationMethod: kind === "web" ? "client_secret_basic" : "none",
        responseTypes: ["code"],
        devMode: false,
      };
      expect(checkRedirectUri(redirectUri, rules)).toBeUndefined();
    },
  );

  it("is registered for another address where the library chooses the path", () => {
    const next = stackOf("next")?.snippet;
    const express = stackOf("express")?.snippet;
    if (!next || !express) throw new Error("no such stack");
    const redirectUris = ["https://shop.test/callback"];
    expect(redirectUriFor(next, { redirectUris })).toBe("https://shop.test/api/auth/callback/identity");
    expect(redirectUriFor(express, { redirectUris })).toBe("https://shop.test/callback");
    const both = [...redirectUris, "https://shop.test/api/auth/callback/identity"];
    expect(redirectUriFor(next, { redirectUris: both })).toBe(both[1]);
  });

  it("says which code is shown first: what was chosen, else what is registered", () => {
    const first = (chosen: string | undefined, uri: string) => inOrder(snippets, chosen, [uri])[0]?.id;
    expect(first("go", "http://localhost:3000/callback")).toBe("go");
    expect(first(undefined, "http://localhost:3000/login/oauth2/code/identity")).toBe("spring");
    expect(first("made-up", "https://shop.test/x")).toBe(snippets[0]?.id);
  });
});

describe("the .env of an application", () => {
  it("has everything that its code reads", () => {
    for (const { snippet, kind } of STACKS) {
      if (kind !== "web") continue;
      const file = environmentFile({ ...values, clientSecret: "s-1" }, snippet, () => "own");
      const code = snippet
        .files({ ...values, redirectUri: undefined, postLogoutRedirectUri: undefined })
        .map((one) => one.code);
      const read = [...code.join("\n").matchAll(/\b(?:ISSUER|CLIENT_ID|CLIENT_SECRET|[A-Z]+_(?:SECRET|KEY))\b/g)].map(
        ([name]) => name,
      );
      expect(read).toContain("CLIENT_SECRET");
      for (const name of read) expect(file, snippet.id).toMatch(new RegExp(`^${name}=.`, "m"));
    }
  });

  it("is read alike by a shell and by a library, and never runs anything", () => {
    const odd = environmentFile({ issuer: "https://id.test/a b", clientId: "$(x)'", clientSecret: "s" }, undefined);
    expect(odd).toBe("ISSUER='https://id.test/a b'\nCLIENT_ID='$(x)'\nCLIENT_SECRET=s\n");
  });

  it("has fresh secrets each time, and says that the app's own was shown once", () => {
    const next = stackOf("next")?.snippet;
    const [one, other] = [environmentFile(values, next), environmentFile(values, next)];
    expect(one).toMatch(/\n# Shown once, when it was made:\nCLIENT_SECRET=\nAUTH_SECRET=[\da-f]{64}\n$/);
    expect(one).not.toBe(other);
  });
});
