/** The exchanges that the page of the OAuth endpoints shows are made here, and those endpoints are the provider's. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { setSecuritySettings } from "../../../directory/instance-settings";
import { grantTypes } from "../../../protocol/grant-type";
import { root } from "../../../root";
import { DEVICE_GRANT, deviceBootstrap } from "../../../testing/device";
import { SECRET } from "../../../testing/example";
import { answerOf, authorizePath, basic, fillSignIn, letIn, REDIRECT_URI } from "../../../testing/flow";
import { normalized } from "../../../testing/scenarios/recorded";
import { BASE_URL, type TestService, testService } from "../../../testing/test-context";
import { endpoints } from "../shown-endpoints";
import type { OAuthExample } from "./endpoint";

const [acme, ...others] = deviceBootstrap.organizations;
const bootstrap = {
  organizations: [{ ...acme, machines: [{ id: "m-ci", userName: "ci", secret: SECRET }] }, ...others],
};

const sourceOf = (file: string) => readFileSync(path.join(root, `server/protocol/${file}.ts`), "utf8");

describe("the endpoints of OAuth and OpenID Connect", () => {
  let service: TestService;
  const recorded: OAuthExample[] = [];
  beforeAll(async () => {
    service = await testService("sqlite", bootstrap);
  });
  afterAll(() => service.close());

  function record(endpoint: string, title: string, request: string, answer: string): void {
    // A parameter of a form has the name of its token, as a member of an object has.
    const named = request.replace(/(-d |[?&])(\w+)=([^ &]+)/g, (_, before: string, name: string, value: string) => {
      return `${before}${name}=${normalized({ [name]: value }, {})[name]}`;
    });
    recorded.push({ endpoint, title, request: normalized(named, {}), answer });
  }

  async function post<Answer>(
    endpoint: string,
    title: string,
    { client = "web", ...form }: Record<string, string>,
    status = 200,
  ): Promise<Answer> {
    const address = endpoints.find(({ id }) => id === endpoint)?.path ?? "";
    const isPublic = client === "tv";
    const sent = isPublic ? { client_id: client, ...form } : form;
    const response = await service.fetch(address, {
      method: "POST",
      body: new URLSearchParams(sent),
      headers: isPublic ? {} : { authorization: basic(client, SECRET) },
    });
    expect([title, response.status]).toEqual([title, status]);
    const answer = await response.json();
    const parameters = Object.entries(sent).map(
      ([name, value]) => `-d ${name}=${value.includes(" ") ? `"${value}"` : value}`,
    );
    const who = isPublic ? "" : ` -u ${client}:"$CLIENT_SECRET"`;
    const lines = [`curl${who} ${BASE_URL}${address}`, ...parameters].join(" \\\n  ");
    record(endpoint, title, lines, JSON.stringify(normalized(answer, {}), null, 2));
    return answer as Answer;
  }

  it("make the exchanges that the page shows; `npx vitest run server/api/docs/oauth -u` records them again", async () => {
    const browser = service.browser();
    const address = authorizePath({
      code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
      code_challenge_method: "S256",
    });
    const arrived = await letIn(browser, await fillSignIn(browser, await browser.get(address)));
    const code = answerOf(arrived).get("code") ?? "";
    const shown = (location: string) => location.replaceAll("&", "\n  &").replace("?", "\n  ?");
    record(
      "authorize",
      "Somebody signs in",
      `GET ${shown(address)}`,
      shown(
        normalized({ code: (arrived.headers.get("location") ?? "").replace(/code=[^&]+/, "code=example-code") }, {})
          .code,
      ),
    );
    const quiet = authorizePath({ prompt: "none" });
    const none = await service.browser().get(quiet);
    expect(answerOf(none).get("error")).toBe("login_required");
    record("authorize", "Nobody is signed in", `GET ${shown(quiet)}`, shown(none.headers.get("location") ?? ""));

    const verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
    const form = { grant_type: "authorization_code", code, redirect_uri: REDIRECT_URI, code_verifier: verifier };
    await post("token", "A code is redeemed", form);
    await post("token", "The code is used again", form, 400);
    const scope = "openid urn:service:iam:org:project:id:service:aud";
    await post("token", "A machine asks for a token", { client: "ci", grant_type: "client_credentials", scope });
    const live = await browser.get(authorizePath());
    const second = answerOf(await letIn(browser, live)).get("code") ?? "";
    const other = await service.fetch("/oauth/v2/token", {
      method: "POST",
      body: new URLSearchParams({ grant_type: "authorization_code", code: second, redirect_uri: REDIRECT_URI }),
      headers: { authorization: basic("web", SECRET) },
    });
    const {
      access_token: token = "",
      refresh_token: refresh = "",
      id_token: hint = "",
    } = (await other.json()) as Record<string, string>;
    const renewed = await post<Record<string, string>>("token", "Tokens are renewed", {
      grant_type: "refresh_token",
      refresh_token: refresh,
    });

    const info = await service.fetch("/oidc/v1/userinfo", { headers: { authorization: `Bearer ${token}` } });
    expect(info.status).toBe(200);
    const asks = `curl -H "authorization: Bearer $TOKEN" ${BASE_URL}/oidc/v1/userinfo`;
    record("userinfo", "Claims", asks, JSON.stringify(normalized(await info.json(), {}), null, 2));
    const wrong = await service.fetch("/oidc/v1/userinfo", { headers: { authorization: "Bearer wrong" } });
    expect(wrong.status).toBe(401);
    record("userinfo", "A wrong token", asks, `HTTP 401\nwww-authenticate: ${wrong.headers.get("www-authenticate")}`);

    const seen = await post<Record<string, unknown>>("introspect", "A token that is valid", {
      token: renewed.access_token ?? "",
    });
    expect(seen.active).toBe(true);
    await post("introspect", "Any other", { token: "wrong" });
    await post("revoke", "A token is given back", { token: renewed.refresh_token ?? "" });

    const { request_uri } = await post<Record<string, string>>(
      "par",
      "A request is pushed",
      {
        response_type: "code",
        redirect_uri: REDIRECT_URI,
        scope: "openid",
        code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
        code_challenge_method: "S256",
      },
      201,
    );
    expect(request_uri).toBeTruthy();
    const device = await post<Record<string, string>>("device-authorization", "A device begins", {
      client: "tv",
      scope: "openid",
    });
    await post(
      "token",
      "A device asks too early",
      { client: "tv", grant_type: DEVICE_GRANT, device_code: device.device_code ?? "" },
      400,
    );

    const bye = `/oidc/v1/end_session?${new URLSearchParams({ id_token_hint: hint, post_logout_redirect_uri: "https://rp.test/bye", state: "s-1" })}`;
    const gone = await browser.get(bye);
    expect(gone.headers.get("location")).toContain("https://rp.test/bye");
    record("end-session", "Signed out", `GET ${shown(normalized(bye, {}))}`, shown(gone.headers.get("location") ?? ""));

    await setSecuritySettings({ ...service.ctx, origin: { actor: "system" } }, { oauthMetadata: true });
    for (const [endpoint, address] of [
      ["keys", "/oauth/v2/keys"],
      ["discovery", "/.well-known/openid-configuration"],
      ["protected-resource", "/.well-known/oauth-protected-resource/management/v1"],
    ] as const) {
      const found = (await (await service.fetch(address)).json()) as Record<string, unknown>;
      record(endpoint, "The document", `curl ${BASE_URL}${address}`, JSON.stringify(shortened(found), null, 2));
    }
    const stable = JSON.stringify(recorded, null, 1).replace(
      /\\"(exp|iat|nbf|auth_time|updated_at)\\": \d+/g,
      '\\"$1\\": 1893499200',
    );
    await expect(`${stable}\n`).toMatchFileSnapshot(path.join(root, "docs/api-examples/oauth.json"));
  });

  /** Two of each list, and no key as it is. */
  function shortened(found: Record<string, unknown>): Record<string, unknown> {
    const members = Object.entries(normalized(found, {})).map(([name, value]) => [name, value] as const);
    return JSON.parse(
      JSON.stringify(Object.fromEntries(members), (name, value) =>
        ["n", "x", "y", "kid"].includes(name) ? `example-${name}` : value,
      ),
    );
  }

  it("are those of discovery, with every grant and every supported parameter", async () => {
    const found = (await (await service.fetch("/.well-known/openid-configuration")).json()) as Record<string, unknown>;
    const addresses = Object.entries(found)
      .filter(([name]) => name.endsWith("_endpoint") || name === "jwks_uri")
      .map(([, address]) => String(address).replace(BASE_URL, ""));
    const described = endpoints.map(({ path: address }) => address);
    expect(addresses.filter((address) => !described.includes(address))).toEqual([]);
    const words = JSON.stringify(endpoints);
    expect(grantTypes.filter((grant) => grant !== "implicit" && !words.includes(grant))).toEqual([]);
    const unread = ["authorization-request", "authorization-checks", "pkce", "grant-type", "client-credentials"]
      .concat("token-exchange-request", "end-session", "device")
      .flatMap((file) => [...sourceOf(file).matchAll(/(?:form|parameters)\.get\("(\w+)"\)/g)].map(([, name]) => name))
      .filter(
        (name) =>
          name !== "request" && !endpoints.some(({ parameters }) => parameters.some((one) => one.name === name)),
      );
    expect(unread).toEqual([]);
  });

  it("list every error of the provider", () => {
    const source = sourceOf("oauth-error");
    const made = [...source.matchAll(/= refusal\("(\w+)"/g)].map(([, code = ""]) => code);
    expect(made.length).toBeGreaterThan(15);
    const named = new Set(endpoints.flatMap(({ errors }) => errors.map(({ code }) => code)));
    // Codes of RFC 7591 §3.2.2: why a metadata document is refused, which the error page says in words.
    const ofDocuments = ["invalid_redirect_uri", "invalid_client_metadata", "unapproved_software_statement"];
    expect(made.filter((code) => !named.has(code))).toEqual(ofDocuments);
  });
});
