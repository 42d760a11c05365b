/**
 * The errors of a form, on their way back to the form's page. Rejected forms are answered with a redirect, like
 * accepted ones (303): because no page is the response to a form, going back, reloading and changing the language never
 * resend anything. The errors are sealed, so that no one else can put messages on our pages, and because names and
 * addresses must not be in the browser's history; passwords are never included.
 */
import type { Context } from "../context";
import type { Http } from "../http/env";
import { FLOW_LIFETIME } from "../oidc/flow";
import type { Parameters } from "../protocol/parameters";
import { redirectAnswer } from "./authorization";

interface Refusal {
  /** Distinguishes the value from flows, which are sealed with the same key. */
  kind: "refusal";
  path: string;
  /** The session that it is for, if several users have a page at the same address. */
  of: string;
  /** Epoch milliseconds. */
  at: number;
  told: unknown;
}

/** The maximum length of a typed value to show again: more than any field accepts, and short enough for an address. */
const MAX_SHOWN_LENGTH = 256;

/**
 * Redirects to the page, which shows the errors: plain values, which `carriedRefusal` returns on that page.
 * @param of the session that the page is for, if any
 */
export function refusedAnswer(ctx: Context, http: Http, page: string, told: object, of = ""): Response {
  const url = new URL(page);
  const refusal: Refusal = { kind: "refusal", path: url.pathname, of, at: ctx.clock(), told };
  url.searchParams.set("refused", ctx.secrets.seal("flow", JSON.stringify(refusal)));
  return redirectAnswer(http, url.href);
}

/** Returns the errors of the last attempt, if the page was reached from one. */
export function carriedRefusal<Told extends object>(
  ctx: Context,
  http: Http,
  form: Parameters,
  of = "",
): Told | undefined {
  const sealed = form.get("refused");
  const text = sealed === undefined ? undefined : ctx.secrets.open("flow", sealed);
  const refusal = text === undefined ? undefined : (JSON.parse(text) as Refusal);
  if (refusal?.kind !== "refusal" || refusal.of !== of || refusal.path !== new URL(http.req.url).pathname)
    return undefined;
  return ctx.clock() - refusal.at > FLOW_LIFETIME ? undefined : (refusal.told as Told);
}

/** Returns the typed values, shortened to be shown again. */
export function shownAgain<Name extends string>(typed: Readonly<Record<Name, string>>): Record<Name, string> {
  const cut = Object.entries<string>(typed).map(([name, value]) => [
    name,
    [...value].slice(0, MAX_SHOWN_LENGTH).join(""),
  ]);
  return Object.fromEntries(cut) as Record<Name, string>;
}
