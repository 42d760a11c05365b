// The person in front of a page of the console, read once per request. server/http/console/gate.ts has sent everybody
// else to sign in; whoever was signed out in the same moment goes there too.
import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { cache } from "react";
import { organizationOf } from "../../components/console/pages";
import { type Desk, runningService } from "../../server/http/service";

/** Of the page that was asked for, without its query; the gate says it. */
export const currentPath = async (): Promise<string> => (await headers()).get("x-console-path") ?? "/console";

/** What lets a script of ours run on this page. */
export const currentNonce = async (): Promise<string | undefined> =>
  /'nonce-([\w+/=-]+)'/.exec((await headers()).get("content-security-policy") ?? "")?.[1];

/** What else stands in its address, for a form that asks for it again. */
export async function currentQuery(): Promise<[name: string, value: string][]> {
  const query = new URLSearchParams((await headers()).get("x-console-query") ?? "");
  query.delete("_rsc"); // Next's own
  return [...query];
}

export const currentDesk = cache(async (): Promise<Desk> => {
  const request = await headers();
  const organizationId = organizationOf(await currentPath());
  return (
    (await runningService().desk(request.get("cookie"), organizationId, request.get("x-console-locale") ?? "en")) ??
    redirect("/console/sign-in")
  );
});
