/** The form of the language switch. */
import type { LanguageForm } from "../../../components/login/language-switch";
import type { Context } from "../../context";
import { FLOW_LIFETIME } from "../../oidc/flow";

/**
 * Returns the form of the language switch for the page's own address. `address` is path and query as received on GET.
 */
export function languageForm(address: string): LanguageForm {
  const { pathname, searchParams } = new URL(address, "http://page.invalid");
  searchParams.delete("ui_locales");
  // A single slash: `/..//other.test` must not become the address of another host.
  return { action: pathname.replace(/^\/+/, "/"), fields: Object.fromEntries(searchParams) };
}

interface Again {
  /** Distinguishes the value from flows, which are sealed with the same key. */
  kind: "again";
  /** Path and query. */
  address: string;
  /** Epoch milliseconds. */
  at: number;
}

/** The address that opens `again`. */
const ERROR_PATH = "/error";

/** The maximum length in characters; the sealed address has to fit into an address itself. */
const MAX_ADDRESS = 6_000;

/**
 * Returns the form for an error page: the requested address is sealed, because an error page must not contain any of it
 * (attack: reflected content).
 * @returns undefined if the address is too long
 */
export function errorLanguageForm(ctx: Context, address: string): LanguageForm | undefined {
  const { action } = languageForm(address);
  const [, query = ""] = address.split(/\?(.*)/s, 2);
  // The query is kept as received: the error may be a repeated or badly encoded parameter.
  const rest = query.split("&").filter((part) => part !== "" && !/^ui_locales(?:=|$)/.test(part));
  if (rest.length === 0 || action === ERROR_PATH) return { action, fields: {} };
  const again: Again = { kind: "again", address: `${action}?${rest.join("&")}`, at: ctx.clock() };
  if (again.address.length > MAX_ADDRESS) return undefined;
  return { action: ERROR_PATH, fields: { again: ctx.secrets.seal("flow", JSON.stringify(again)) } };
}

/** Returns the address that the form requests again, in the chosen language; undefined if the value is invalid. */
export function askedAgain(ctx: Context, sealed: string | undefined, chosen: string | undefined): string | undefined {
  const text = sealed === undefined ? undefined : ctx.secrets.open("flow", sealed);
  const again = text === undefined ? undefined : (JSON.parse(text) as Again);
  if (again?.kind !== "again" || ctx.clock() - again.at > FLOW_LIFETIME) return undefined;
  return chosen === undefined ? again.address : `${again.address}&ui_locales=${encodeURIComponent(chosen)}`;
}
