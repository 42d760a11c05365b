// The operations of the management APIs as the console knows them. Their addresses are constants in
// generated/operations.ts. The types of requests and responses are generated from the schemas that the server validates
// with, so that a wrong member does not compile.
import type { Operations } from "../server/api/generated/operations";

export type OperationName = keyof Operations;

export interface Declared<Name extends OperationName> {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** With `:parameters`; `:kind+` takes several segments. */
  readonly path: string;
  /** Used by the type checker only. */
  readonly name?: Name;
}

export type ParametersOf<Name extends OperationName> = Operations[Name]["parameters"];
export type BodyOf<Name extends OperationName> = Operations[Name]["body"];
export type AnswerOf<Name extends OperationName> = Operations[Name]["answer"];

/** A member that is optional if its value may be undefined. */
export type MemberOf<Key extends string, Value> = undefined extends Value
  ? { [In in Key]?: Value }
  : { [In in Key]: Value };

/** The request of an operation: path parameters, query and body. */
export type RequestOf<Name extends OperationName> = MemberOf<"at", ParametersOf<Name>> &
  MemberOf<"query", Operations[Name]["query"]> &
  MemberOf<"body", BodyOf<Name>>;

/** The request parameter of a function that calls an operation; optional if every member is. */
export type Arguments<Name extends OperationName, Options> =
  object extends RequestOf<Name> ? [request?: RequestOf<Name> & Options] : [request: RequestOf<Name> & Options];

/** Values by name. */
type Values = object;

/**
 * Returns the address of an operation. Values are encoded, so that they cannot change the path.
 * @param query members without a value are omitted
 */
export function addressOf({ path }: { readonly path: string }, at: Values = {}, query: Values = {}): string {
  const address = path.replace(/:(\w+)(\+?)/g, (_, name: string, several: string) => {
    const value = String(Reflect.get(at, name) ?? "");
    return (several ? value.split("/") : [value]).map(encodeURIComponent).join("/");
  });
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== "");
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
  return given.length > 0 ? `${address}?${search}` : address;
}

/**
 * Fills in the placeholders `{name}` of a page's address. Names may nest: `{user.id}`. Values are encoded, so that they
 * cannot change the path.
 */
export function fillAddress(template: string, values: Values): string {
  return template.replace(/\{([\w.]+)\}/g, (_, name: string) => {
    const value = name.split(".").reduce<unknown>((place, step) => Reflect.get(Object(place), step), values);
    return encodeURIComponent(String(value ?? ""));
  });
}

/** A path parameter that the user enters in the form field with this name. */
export interface Typed {
  readonly field: string;
}

/** The path parameters of an address: known values, or fields that the user fills in. */
export type PartsOf<Parameters> = Parameters extends undefined
  ? undefined
  : { readonly [Part in keyof Parameters]: Parameters[Part] | Typed };

/** Returns the request for typed values. Values used in the address are not sent in the body. */
export function requestWith(at: Readonly<Record<string, string | Typed>>, typed: Readonly<Record<string, unknown>>) {
  const parts = Object.entries(at);
  const fields = parts.flatMap(([, part]) => (typeof part === "string" ? [] : [part.field]));
  return {
    at: Object.fromEntries(parts.map(([name, part]) => [name, typeof part === "string" ? part : typed[part.field]])),
    body: Object.fromEntries(Object.entries(typed).filter(([name]) => !fields.includes(name))),
  };
}
