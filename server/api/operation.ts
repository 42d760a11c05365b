/**
 * An operation of the management APIs as data: its address, the permission it needs, the schemas of its body and
 * answer, and its handler. Routes, the OpenAPI document, the documentation page and the permission tests are all made
 * from one list of them (all.ts), so that they always agree.
 */
import type { z } from "zod";
import type { Context } from "../context";
import type { Permission } from "../directory/member/permissions";
import type { Origin } from "../events/record";
import type { ApiError } from "../protocol/api-error";
import type { Effort } from "./effort";
import type { Over, PermissionOnPeople } from "./over";
import type { Streamed } from "./streamed";

/**
 * What the caller must have the permission for:
 * - `instance`: the service itself;
 * - `organization`: the one that `x-service-orgid` names, else the caller's own;
 * - `project`: a project of that organization, named in the address as `:projectId`;
 * - `projects`: that organization, or only those of its projects that the caller has a role in; then the operation is
 * limited to these;
 * - `owner`: the organization that owns the object in the address, found by `ownerOf`;
 * - `caller`: only what belongs to the callers themselves; no permission is needed.
 */
export type Scope =
  | ((
      | { readonly level: "instance" | "organization" | "project" | "projects" }
      | {
          readonly level: "owner";
          /** Undefined if there is no such object. */
          readonly ownerOf: (ctx: Context, parameters: Parameters) => Promise<string | undefined>;
        }
    ) &
      Allowed)
  | { readonly level: "caller"; readonly over?: "nobody" };

/** The permission, and, where it may be used on people, on whom the operation uses it. */
type Allowed =
  | { readonly permission: PermissionOnPeople; readonly over: Over }
  | { readonly permission: Exclude<Permission, PermissionOnPeople>; readonly over?: Over };

/** The variable parts of the address: `/users/:userId` gives `userId`. Always well-formed ids. */
export type Parameters = Readonly<Record<string, string>>;

export interface OperationCall<Body, Query> {
  caller: { userId: string; organizationId: string; clientId: string };
  /** The caller and the request, for the audit trail. */
  origin: Origin;
  /** The organization that is acted on; at instance level the caller's own. */
  organizationId: string;
  /**
   * The projects that the operation is limited to; undefined if the caller has the permission for the whole
   * organization.
   */
  projectIds?: readonly string[];
  parameters: Parameters;
  query: Query;
  body: Body;
  /** The client's IP address, if known. */
  address: string | undefined;
  /** In which the caller reads what the answer says, a tag of `locales`. */
  language: string;
}

export interface Operation<
  Body extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Answer extends z.ZodType = z.ZodType,
> {
  /** Unique, in the style of gRPC methods: AddHumanUser. */
  id: string;
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** With `:parameters`. */
  path: string;
  /** Further addresses, under which clients of other versions look for it. */
  aliases?: readonly string[];
  /** The section of the documentation. */
  tag: string;
  /** One sentence without a full stop. */
  summary: string;
  /** Further paragraphs of the documentation. */
  description?: string;
  scope: Scope;
  /** Left out if it costs no more than reading a page; see effort.ts. */
  effort?: Effort;
  /** Left out if the request has no body. */
  body?: Body;
  /** A file whose every member counts: what is not known is refused, as are other spellings. */
  bodyIsStrict?: boolean;
  /** The largest body in bytes, if it may be larger than that of other operations. */
  maxBodyBytes?: number;
  /** Without a body the handler gets `{}`. */
  bodyIsOptional?: boolean;
  /** The body may be as large as a picture. */
  carriesPicture?: boolean;
  query?: Query;
  /** The query parameter that names the organization where the header `x-service-orgid` is not sent. */
  organizationQuery?: string;
  answer: Answer;
  /**
   * Called after the permission and the input were checked. A streamed answer is JSON of the same shape, or the other
   * format that was asked for.
   */
  handle(
    ctx: Context,
    call: OperationCall<z.output<Body>, z.output<Query>>,
  ): Promise<z.input<Answer> | ApiError | Streamed>;
}

/** Only gives the handler the types of its schemas. */
export function operation<
  Answer extends z.ZodType,
  Body extends z.ZodType = z.ZodUndefined,
  Query extends z.ZodType = z.ZodUndefined,
>(definition: Operation<Body, Query, Answer>): Operation {
  return definition as unknown as Operation;
}
