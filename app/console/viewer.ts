// The user of the console, read once per request. server/console/gate.ts has redirected all other visitors to the
// sign-in page; a user whose session has ended since is redirected too, and returns to the requested page.
import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { cache } from "react";
import { runningService, type Viewer } from "../../server/service/service";
import { organizationInPath } from "../../shared/pages";

/** The path of the requested page without its query, as the gate passes it on. */
export const currentPath = async (): Promise<string> => (await headers()).get("x-console-path") ?? "/console";

/** The nonce that allows our scripts on this page. */
export const currentNonce = async (): Promise<string | undefined> =>
  /'nonce-([\w+/=-]+)'/.exec((await headers()).get("content-security-policy") ?? "")?.[1];

/** The query of the page's address, for a form that requests the page again. */
export async function currentQuery(): Promise<[name: string, value: string][]> {
  const query = new URLSearchParams((await headers()).get("x-console-query") ?? "");
  query.delete("_rsc"); // the parameter of Next.js
  return [...query];
}

/** Returns the address to which the visitor returns after the sign-in. */
async function currentAddress(): Promise<string> {
  const query = new URLSearchParams(await currentQuery());
  return query.size > 0 ? `${await currentPath()}?${query}` : currentPath();
}

export const currentViewer = cache(async (): Promise<Viewer> => {
  const request = await headers();
  const place = {
    organizationId: organizationInPath(await currentPath()),
    rememberedOrganizationId: decodeURIComponent(request.get("x-console-organization") ?? "") || undefined,
    locale: request.get("x-console-locale") ?? "en",
  };
  const viewer = await runningService().viewer(request.get("cookie"), place);
  return viewer ?? redirect(`/console/sign-in?to=${encodeURIComponent(await currentAddress())}`);
});
