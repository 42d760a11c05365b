/**
 * What was wrong with a form, on its way back to the page it was sent from. A form that is refused answers with a
 * redirect, as one that is accepted does (303): no page is the answer to a form, so going back, loading again and
 * choosing another language never ask a person to send anything twice. Sealed, because nobody else may make our pages
 * speak, and because names and addresses must stand in no history; never a password.
 */
import type { Context } from "../../context";
import { FLOW_LIFETIME } from "../../oidc/flow";
import type { Parameters } from "../../protocol/parameters";
import { redirectAnswer } from "../authorization";
import type { Http } from "../env";

interface Refusal {
  /** Tells it from the flows, which are sealed for the same purpose. */
  kind: "refusal";
  /** The page it is for. */
  path: string;
  /** Whose page, where several people have one at the same address. */
  of: string;
  /** Epoch milliseconds. */
  at: number;
  told: unknown;
}

/** Characters of a typed value that are shown again: more than any field takes, less than an address can hold. */
const LONGEST_SHOWN = 256;

/**
 * Back to the page, which says what was wrong.
 * @param told plain values, for `refusalOf` on that page
 * @param of the session the page is about, if it is about one
 */
export function refusedAnswer(ctx: Context, http: Http, page: string, told: object, of = ""): Response {
  const url = new URL(page);
  const refusal: Refusal = { kind: "refusal", path: url.pathname, of, at: ctx.clock(), told };
  url.searchParams.set("refused", ctx.secrets.seal("flow", JSON.stringify(refusal)));
  return redirectAnswer(http, url.href);
}

/** What was wrong with the last try, where the page was reached by one. */
export function refusalOf<Told extends object>(ctx: Context, http: Http, form: Parameters, of = ""): Told | undefined {
  const sealed = form.get("refused");
  const text = sealed === undefined ? undefined : ctx.secrets.open("flow", sealed);
  const refusal = text === undefined ? undefined : (JSON.parse(text) as Refusal);
  if (refusal?.kind !== "refusal" || refusal.of !== of || refusal.path !== new URL(http.req.url).pathname)
    return undefined;
  return ctx.clock() - refusal.at > FLOW_LIFETIME ? undefined : (refusal.told as Told);
}

/** What was typed, to be shown again. */
export function shownAgain<Name extends string>(typed: Readonly<Record<Name, string>>): Record<Name, string> {
  const cut = Object.entries<string>(typed).map(([name, value]) => [name, [...value].slice(0, LONGEST_SHOWN).join("")]);
  return Object.fromEntries(cut) as Record<Name, string>;
}
