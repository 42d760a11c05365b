/** The form of the language switch. */
import type { LanguageForm } from "../../../components/login/language-switch";
import type { Context } from "../../context";
import { FLOW_LIFETIME } from "../../oidc/flow";

/** The page's own address for the language switch. `address` is path and query as received on GET. */
export function languageForm(address: string): LanguageForm {
  const { pathname, searchParams } = new URL(address, "http://page.invalid");
  searchParams.delete("ui_locales");
  // One slash: `/..//other.test` must not become the address of another host.
  return { action: pathname.replace(/^\/+/, "/"), fields: Object.fromEntries(searchParams) };
}

interface Again {
  /** Distinguishes it from flows, which are sealed with the same key. */
  kind: "again";
  /** Path and query. */
  address: string;
  /** Epoch milliseconds. */
  at: number;
}

/** Where `again` is opened. */
export const ERROR_PATH = "/error";

/** Characters; the sealed address has to fit into an address itself. */
const MAX_ADDRESS = 6_000;

/**
 * The same for a page that says what went wrong: what was asked for is sealed, as nothing of it is to stand on such a
 * page (attack: reflected content). @returns undefined where it is too long for that
 */
export function errorLanguageForm(ctx: Context, address: string): LanguageForm | undefined {
  const { action } = languageForm(address);
  const [, query = ""] = address.split(/\?(.*)/s, 2);
  // As it came: what is wrong with it may be that a parameter is there twice, or not well encoded.
  const rest = query.split("&").filter((part) => part !== "" && !/^ui_locales(?:=|$)/.test(part));
  if (rest.length === 0 || action === ERROR_PATH) return { action, fields: {} };
  const again: Again = { kind: "again", address: `${action}?${rest.join("&")}`, at: ctx.clock() };
  if (again.address.length > MAX_ADDRESS) return undefined;
  return { action: ERROR_PATH, fields: { again: ctx.secrets.seal("flow", JSON.stringify(again)) } };
}

/** What the form asks for again, in the language chosen; undefined if nothing can be opened. */
export function askedAgain(ctx: Context, sealed: string | undefined, chosen: string | undefined): string | undefined {
  const text = sealed === undefined ? undefined : ctx.secrets.open("flow", sealed);
  const again = text === undefined ? undefined : (JSON.parse(text) as Again);
  if (again?.kind !== "again" || ctx.clock() - again.at > FLOW_LIFETIME) return undefined;
  return chosen === undefined ? again.address : `${again.address}&ui_locales=${encodeURIComponent(chosen)}`;
}
