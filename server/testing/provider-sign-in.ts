/** A browser that goes to a forged provider and comes back, and the provider as the organization ACME offers it. */
import { callApi } from "./api";
import { authorizePath, flowOf } from "./flow";
import type { ForgedProvider } from "./forged-provider";
import type { TestBrowser, TestService } from "./test-context";

let number = 0;

/** Adds the provider and offers it. @returns its id */
export async function offerProviderOf(
  service: TestService,
  token: string,
  { issuer }: ForgedProvider,
  more: object = {},
): Promise<string> {
  const call = (path: string, body: object) => callApi(service, "POST", path, { token, body });
  const providerOptions = { isLinkingAllowed: true, isCreationAllowed: true };
  const client = { name: `Forged ${number++}`, clientId: "us", clientSecret: "s3cret", issuer };
  const { id } = (await call("/management/v1/idps/generic_oidc", { ...client, providerOptions, ...more })).body;
  await call("/management/v1/policies/login/idps", { idpId: id });
  return id;
}

/** Presses the button of the sign-in page. @returns the address at the provider */
export async function goToProvider(browser: TestBrowser, idp: string, parameters = {}): Promise<URL> {
  const answer = await browser.post("/login/idp", { flow: flowOf(await browser.get(authorizePath(parameters))), idp });
  return new URL(answer.headers.get("location") ?? "about:blank");
}

/** The address of ours to which the forged provider would send the browser. */
export function responseOf({ issuer: iss }: ForgedProvider, at: URL, more: Record<string, string> = {}): string {
  const sent = { code: at.searchParams.get("nonce") ?? "", state: at.searchParams.get("state") ?? "", iss, ...more };
  return `/idps/callback?${new URLSearchParams(sent)}`;
}
