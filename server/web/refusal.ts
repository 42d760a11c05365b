/**
 * What was wrong with a form, on its way back to the form's page. Refused forms are answered with a redirect, like
 * accepted ones (303): as no page is the response to a form, going back, reloading and changing the language never ask
 * a person to send anything twice. It is sealed, so that nobody else can put messages on our pages, and because names
 * and addresses must not end up in the browser's history; passwords are never included.
 */
import type { Context } from "../context";
import type { Http } from "../http/env";
import { FLOW_LIFETIME } from "../oidc/flow";
import type { Parameters } from "../protocol/parameters";
import { redirectAnswer } from "./authorization";

interface Refusal {
  /** Distinguishes it from flows, which are sealed with the same key. */
  kind: "refusal";
  /** The page it is for. */
  path: string;
  /** The session it is for, where several people have a page at the same address. */
  of: string;
  /** Epoch milliseconds. */
  at: number;
  told: unknown;
}

/** Characters of a typed value to show again: more than any field accepts, little enough for an address. */
const MAX_SHOWN_LENGTH = 256;

/**
 * Redirects to the page, which says what was wrong.
 * @param told plain values, for `carriedRefusal` on that page
 * @param of the session the page is for, if any
 */
export function refusedAnswer(ctx: Context, http: Http, page: string, told: object, of = ""): Response {
  const url = new URL(page);
  const refusal: Refusal = { kind: "refusal", path: url.pathname, of, at: ctx.clock(), told };
  url.searchParams.set("refused", ctx.secrets.seal("flow", JSON.stringify(refusal)));
  return redirectAnswer(http, url.href);
}

/** What was wrong with the last attempt, if the page was reached from one. */
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

/** What was typed, to be shown again. */
export function shownAgain<Name extends string>(typed: Readonly<Record<Name, string>>): Record<Name, string> {
  const cut = Object.entries<string>(typed).map(([name, value]) => [
    name,
    [...value].slice(0, MAX_SHOWN_LENGTH).join(""),
  ]);
  return Object.fromEntries(cut) as Record<Name, string>;
}
