// The operations of the management APIs as the console knows them. Their addresses are in generated/operations.ts, one
// constant each; what they take and answer are types made from the schemas that the server checks with. So nobody writes
// an address by hand, and a wrong member of a body or an answer does not compile.
import type { Operations } from "../../server/api/generated/operations";

export type OperationName = keyof Operations;

export interface Declared<Name extends OperationName> {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** With `:parameters`. */
  readonly path: string;
  /** For the type checker alone. */
  readonly name?: Name;
}

export type ParametersOf<Name extends OperationName> = Operations[Name]["parameters"];
export type BodyOf<Name extends OperationName> = Operations[Name]["body"];
export type AnswerOf<Name extends OperationName> = Operations[Name]["answer"];

/** A member that may be left out if its value may. */
export type MemberOf<Key extends string, Value> = undefined extends Value
  ? { [In in Key]?: Value }
  : { [In in Key]: Value };

/** What a call of the operation consists of: the variable parts of its address, its query and its body. */
export type RequestOf<Name extends OperationName> = MemberOf<"at", ParametersOf<Name>> &
  MemberOf<"query", Operations[Name]["query"]> &
  MemberOf<"body", BodyOf<Name>>;

/** The parameters after the operation in a function that calls it; none where nothing has to be said. */
export type Arguments<Name extends OperationName, Options> =
  object extends RequestOf<Name> ? [request?: RequestOf<Name> & Options] : [request: RequestOf<Name> & Options];

/** By name. */
type Values = object;

/**
 * The address of an operation. Values are encoded, so that none can change where the address leads.
 * @param query members without a value are left out
 */
export function addressOf({ path }: { readonly path: string }, at: Values = {}, query: Values = {}): string {
  const address = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(Reflect.get(at, name) ?? "")));
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== "");
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
  return given.length > 0 ? `${address}?${search}` : address;
}

/** A part of an address that people fill in, in the field of this name. */
export interface Typed {
  readonly field: string;
}

/** The variable parts of an address, as far as they are known before people typed the others. */
export type PartsOf<Parameters> = Parameters extends undefined
  ? undefined
  : { readonly [Part in keyof Parameters]: Parameters[Part] | Typed };

/** What people typed as a request: what is in the address is not sent a second time. */
export function requestWith(at: Readonly<Record<string, string | Typed>>, typed: Readonly<Record<string, unknown>>) {
  const parts = Object.entries(at);
  const fields = parts.flatMap(([, part]) => (typeof part === "string" ? [] : [part.field]));
  return {
    at: Object.fromEntries(parts.map(([name, part]) => [name, typeof part === "string" ? part : typed[part.field]])),
    body: Object.fromEntries(Object.entries(typed).filter(([name]) => !fields.includes(name))),
  };
}
