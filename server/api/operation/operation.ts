/**
 * An operation of the management APIs as data: its address, the permission it needs, the schemas of its body and
 * answer, and its handler. Routes, the OpenAPI document, the documentation page and the permission tests are all made
 * from one list of them (all.ts), so that they always agree.
 */
import type { z } from "zod";
import type { Caller } from "../../access/caller";
import type { Context } from "../../context";
import type { Permission } from "../../directory/member/permissions";
import type { OriginContext } from "../../events/record";
import { type ApiError, isApiError } from "../../protocol/api-error";
import type { Effort } from "./effort";
import type { Procedure } from "./procedure";
import { changed } from "./schemas";
import type { Streamed } from "./streamed";
import type { PermissionOnPeople, Target } from "./target";

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
export type OperationScope =
  | ((
      | { readonly level: "instance" | "organization" | "project" | "projects" }
      | {
          readonly level: "owner";
          /** Undefined if there is no such object. */
          readonly ownerOf: (ctx: Context, parameters: PathParameters) => Promise<string | undefined>;
          /** Whether it acts on the project in the address, `:projectId`, so that roles on that project count. */
          readonly isInProject?: true;
        }
    ) &
      Allowed)
  | { readonly level: "caller"; readonly target?: "nobody" };

/** The permission and, if it may affect people, the affected users. */
type Allowed =
  | { readonly permission: PermissionOnPeople; readonly target: Target }
  | { readonly permission: Exclude<Permission, PermissionOnPeople>; readonly target?: Target };

/**
 * The parameters of the path: `/users/:userId` gives `userId`. They are well-formed ids, unless the operation has its
 * own check.
 */
export type PathParameters = Readonly<Record<string, string>>;

export interface OperationCall<Body, Query> {
  caller: Caller;
  /** The organization that is acted on; at instance level the caller's own. */
  organizationId: string;
  /** The level of the operation's scope. */
  level: OperationScope["level"];
  /**
   * The projects that the operation is limited to; undefined if the caller has the permission for the whole
   * organization.
   */
  projectIds?: readonly string[];
  parameters: PathParameters;
  query: Query;
  body: Body;
  /** The header If-Match. */
  ifMatch: string | undefined;
  /** The client's IP address, if known. */
  address: string | undefined;
  /** The language of texts in the response, one of `locales`. */
  language: string;
}

interface Variant {
  of: string;
  parameter: string;
  value: string;
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
  /**
   * It differs from others only in one part of its path. The console treats all of them as one operation `of` with that
   * part as a parameter.
   */
  variant?: Variant;
  /** Like `variant`, but documented by itself, because its body and answer are its own. */
  calledAs?: Variant;
  /** Further addresses by their ids (another version, another level, the own account), and what differs there. */
  also?: Readonly<Record<string, Elsewhere>>;
  /** Additional paths, used by clients of other versions. */
  aliases?: readonly string[];
  /** Addresses that were once published with a mistake; they are documented as deprecated. */
  misspelt?: readonly string[];
  /** The section of the documentation. */
  tag: string;
  /** One sentence without a full stop. */
  summary: string;
  /** Further paragraphs of the documentation. */
  description?: string;
  scope: OperationScope;
  /** Omitted if it costs no more than reading a page or changing one object; see effort.ts. */
  effort?: Effort;
  /** Left out if the request has no body. */
  body?: Body;
  /** The members of a body that are stored and have no effect: they are reported like unknown ones (rule API-7). */
  withoutEffect?(ctx: Context, body: z.output<Body>): readonly string[] | Promise<readonly string[]>;
  /** The refusal of a valid request, before it is handled. */
  precondition?(ctx: Context, call: OperationCall<unknown, unknown>): Promise<ApiError | undefined>;
  /**
   * The refusal of an address whose parameters are wrong, after the permission and before anything else. Left out:
   * malformed ones are no address at all (rest/routes.ts).
   */
  checkParameters?(ctx: Context, parameters: PathParameters): ApiError | undefined | Promise<ApiError | undefined>;
  /**
   * The refusal of a body that does not fit its schema, where it was published with an id of its own; undefined: the
   * usual one.
   * @param sentAs the names that were sent in snake_case, by the paths of the members
   */
  refuseBody?(error: z.ZodError, sentAs: ReadonlyMap<string, string>): ApiError | undefined;
  /** Whether unknown members and other spellings are refused, because the body is a file. */
  bodyIsStrict?: boolean;
  /** The largest body in bytes, if it may be larger than that of other operations. */
  maxBodyBytes?: number;
  /** Without a body the handler gets `{}`. */
  bodyIsOptional?: boolean;
  /** The body may be as large as a picture. */
  carriesPicture?: boolean;
  query?: Query;
  /** Query parameters that may be sent several times; the schema gets a list, also of one or none. */
  repeatedQuery?: readonly string[];
  /** The query parameter that names the organization where the header `x-service-orgid` is not sent. */
  organizationQuery?: string;
  answer: Answer;
  /** It takes If-Match: the state that the writer has seen (RFC 9110 §13.1.1). */
  isConditional?: boolean;
  /** The equivalent remote procedure. The address then also responds in protocol buffers if the client accepts them. */
  procedure?: Procedure;
  /**
   * Clients were generated from its entry in the OpenAPI document, which stays as it was first written: with this id or
   * none, and the names of that edition (openapi.ts).
   */
  published?: { operationId: string | undefined };
  /**
   * Called after the permission and the input were checked. A streamed answer is JSON of the same shape, or the other
   * format that was asked for.
   */
  handle(
    ctx: OriginContext,
    call: OperationCall<z.output<Body>, z.output<Query>>,
  ): Promise<Unchanging<z.input<Answer>> | ApiError | Streamed>;
}

/** A deeply readonly type: handlers may return readonly values, because a response is not modified. */
type Unchanging<Value> = Value extends readonly (infer Item)[]
  ? readonly Unchanging<Item>[]
  : Value extends object
    ? { readonly [Name in keyof Value]: Unchanging<Value[Name]> }
    : Value;

/** `POST /management/v1/users`: the method, and the path with `:parameters`. */
export type OperationAddress = `${Operation["method"]} ${string}`;

/** A further address of an operation. Its body is parsed to the same values. */
type Elsewhere<Answer = never> = { readonly at: OperationAddress } & Partial<
  Omit<Operation, "id" | "method" | "path" | "handle" | "also">
> & {
    /** The answer under the names of this address. */
    shows?(answer: Answer): object;
  };

type Definition<Body extends z.ZodType, Query extends z.ZodType, Answer extends z.ZodType> = Omit<
  Operation<Body, Query, Answer>,
  "id" | "method" | "path" | "answer" | "also"
> & {
  also?: Readonly<Record<string, Elsewhere<z.input<Answer>>>>;
  /** Left out if the operation only changes something. */
  answer?: Answer;
};

/** Defines an operation, and infers the types of its handler from the schemas. */
export function operation<
  Answer extends z.ZodType = typeof changed,
  Body extends z.ZodType = z.ZodUndefined,
  Query extends z.ZodType = z.ZodUndefined,
>(id: string, address: OperationAddress, definition: Definition<Body, Query, Answer>): Operation {
  return { answer: changed, ...definition, id, ...parsed(address) } as unknown as Operation;
}

function parsed(address: OperationAddress): Pick<Operation, "method" | "path"> {
  const [method, path = ""] = address.split(" ");
  return { method: method as Operation["method"], path };
}

/** Returns the operation at each of its addresses. */
export function atEveryAddress({ also = {}, ...operation }: Operation): Operation[] {
  const elsewhere = Object.entries(also).map(([id, { at, shows, ...differs }]): Operation => {
    const handle: Operation["handle"] = async (ctx, call) => {
      const answer = await operation.handle(ctx, call);
      return isApiError(answer) || !shows ? answer : shows(answer as never);
    };
    return { ...operation, aliases: [], ...differs, id, ...parsed(at), handle };
  });
  return [operation, ...elsewhere];
}
