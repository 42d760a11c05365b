/**
 * An operation of the management APIs as data: its address, who may, what it reads and answers, what it does. Routes,
 * the OpenAPI document, the browsable page and the tests of permissions are made from the same list (all.ts), so that
 * none of them can know an operation the others do not.
 */
import type { z } from "zod";
import type { Context } from "../../context";
import type { Permission } from "../../directory/member/permissions";
import type { Origin } from "../../events/record";
import type { ApiError } from "../../protocol/api-error";
import type { Streamed } from "./streamed";

/**
 * On what the permission is asked for:
 * - `instance`: the service itself;
 * - `organization`: the one `x-service-orgid` names, else the caller's own;
 * - `project`: a project of that organization, which the address names as `:projectId`;
 * - `projects`: that organization, or those of its projects that the caller has a role on: only they are acted on then;
 * - `owner`: the organization that owns what the address names, which the operation finds out;
 * - `caller`: nothing but his own, no permission needed.
 */
export type Scope =
  | { readonly level: "instance" | "organization" | "project" | "projects"; readonly permission: Permission }
  | {
      readonly level: "owner";
      readonly permission: Permission;
      /** Undefined where there is no such thing. */
      readonly ownerOf: (ctx: Context, parameters: Parameters) => Promise<string | undefined>;
    }
  | { readonly level: "caller" };

/** What stands in the address, by the names of its path: `/users/:userId` gives `userId`. Always well-formed ids. */
export type Parameters = Readonly<Record<string, string>>;

export interface OperationCall<Body, Query> {
  caller: { userId: string; organizationId: string; clientId: string };
  /** Who and which request, for the audit trail. */
  origin: Origin;
  /** The organization acted on. At instance level the caller's own. */
  organizationId: string;
  /** The only projects of it acted on; undefined where the caller may in the whole organization. */
  projectIds?: readonly string[];
  parameters: Parameters;
  query: Query;
  body: Body;
  /** Where the request came from, as far as it is known. */
  address: string | undefined;
}

export interface Operation<
  Body extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Answer extends z.ZodType = z.ZodType,
> {
  /** As remote procedures are named: AddHumanUser. Unique. */
  id: string;
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** With `:parameters`. */
  path: string;
  /** The chapter of the documentation. */
  tag: string;
  /** One sentence without a full stop. */
  summary: string;
  /** What must be known besides. */
  description?: string;
  scope: Scope;
  /** Left out: the request has no body. */
  body?: Body;
  /** Bytes, where a body may be larger than that of other operations. */
  largestBody?: number;
  /** A body that may be missing is `{}`. */
  bodyIsOptional?: boolean;
  /** The body may be as large as a picture. */
  carriesPicture?: boolean;
  query?: Query;
  answer: Answer;
  /** Called once the caller may, with checked input. What is streamed is JSON of the same shape, or another format asked for. */
  handle(
    ctx: Context,
    call: OperationCall<z.output<Body>, z.output<Query>>,
  ): Promise<z.input<Answer> | ApiError | Streamed>;
}

/** Ties the types of input and answer to the handler. */
export function operation<
  Answer extends z.ZodType,
  Body extends z.ZodType = z.ZodUndefined,
  Query extends z.ZodType = z.ZodUndefined,
>(definition: Operation<Body, Query, Answer>): Operation {
  return definition as unknown as Operation;
}
