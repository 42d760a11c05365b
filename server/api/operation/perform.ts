/**
 * Performs every operation: identifies the caller, checks the permission and the permissions of the affected users,
 * waits for a free slot of the caller, and only then reads the request. An error therefore does not reveal whether
 * something exists (attack: probing for other organizations), and no handler can omit a check.
 */
import type { z } from "zod";
import { authenticateCaller, type Caller, type PresentedCredentials } from "../../access/caller";
import { checkPermission } from "../../access/permissions";
import type { Context } from "../../context";
import { refuseIfOvertaken } from "../../directory/change";
import { hasPermission, listPermittedProjects } from "../../directory/member/permissions";
import {
  type ApiError,
  fieldProblem,
  invalidArgument,
  isApiError,
  notFound,
  type Problem,
} from "../../protocol/api-error";
import { inputIssues, wordIssue } from "../../protocol/input-issues";
import { sentenceOf } from "../../protocol/reason";
import { effortOf, withEffort } from "./effort";
import { parseLeniently } from "./lenient-body";
import type { Operation, OperationCall, OperationScope, PathParameters } from "./operation";
import { checkTarget } from "./target";

export interface OperationRequest {
  credentials: PresentedCredentials;
  /** The organization that the request names, see organization-header.ts. */
  organizationId: string | undefined | ApiError;
  parameters: PathParameters;
  /** A list for parameters that may be repeated. */
  query: Readonly<Record<string, string | readonly string[]>>;
  /** Parsed JSON, undefined if there is no body; only read after the permission was checked. */
  body(): Promise<unknown | ApiError>;
  /** The header If-Match. */
  ifMatch?: string;
  requestId: string | undefined;
  /** The language of the texts in the response: one of `locales`. */
  language: string;
  address: string | undefined;
  /** Aborts when the client disconnects. */
  signal?: AbortSignal;
  /** Called with the paths of the members of the body that are unknown or have no effect, if there are any. */
  onIgnored?(paths: readonly string[]): void;
}

export async function performOperation(
  ctx: Context,
  operation: Operation,
  request: OperationRequest,
): Promise<object | ApiError> {
  const allowed = await authorizeRequest(ctx, operation, request);
  if (isApiError(allowed)) return allowed;
  const { caller, actedOn } = allowed;
  const refusal =
    (await operation.checkParameters?.(ctx, request.parameters)) ??
    (await checkTarget(ctx, operation.scope, caller, { ...actedOn, parameters: request.parameters }));
  if (refusal) return refusal;
  const perform = () => performAt(ctx, operation, request, caller, actedOn);
  return withEffort(effortOf(operation), caller, perform, request.signal);
}

/**
 * Returns the caller and what they act on, or an error. Everything that can be checked before the body is read.
 */
export async function authorizeRequest(
  ctx: Context,
  operation: Operation,
  request: Pick<OperationRequest, "credentials" | "organizationId" | "parameters">,
): Promise<{ caller: Caller; actedOn: ActedOn } | ApiError> {
  const caller = await authenticateCaller(ctx, request.credentials);
  if (isApiError(caller)) return caller;
  const { organizationId } = request;
  if (isApiError(organizationId)) return organizationId;
  const actedOn = await authorizeOperation(ctx, caller, operation.scope, { ...request, organizationId });
  return isApiError(actedOn) ? actedOn : { caller, actedOn };
}

/** Checks the permission and the power over the affected user where an operation may need neither. */
export async function authorizeTarget(
  ctx: Context,
  caller: Caller,
  scope: OperationScope,
  parameters: PathParameters,
): Promise<ApiError | undefined> {
  const actedOn = await authorizeOperation(ctx, caller, scope, { organizationId: undefined, parameters });
  return isApiError(actedOn) ? actedOn : checkTarget(ctx, scope, caller, { ...actedOn, parameters });
}

async function performAt(
  ctx: Context,
  operation: Operation,
  request: OperationRequest,
  caller: Caller,
  actedOn: ActedOn,
): Promise<object | ApiError> {
  const query = check(operation.query, request.query, "query");
  if (isApiError(query)) return query;
  const body = await readBody(ctx, operation, request);
  if (isApiError(body)) return body;
  const call = {
    caller,
    ...actedOn,
    level: operation.scope.level,
    parameters: request.parameters,
    query,
    body,
    ifMatch: request.ifMatch,
    address: request.address,
    language: request.language,
  };
  const { requestId, address } = request;
  const origin = { actor: caller.userId, requestId, address, clientId: caller.clientId };
  const handle = async () =>
    (await operation.precondition?.(ctx, call)) ??
    ((await operation.handle({ ...ctx, origin }, call)) as object | ApiError);
  return refuseIfOvertaken(ctx, { operation: operation.id }, handle);
}

export type ActedOn = Pick<OperationCall<unknown, unknown>, "organizationId" | "projectIds">;

/** Returns what the operation acts on, or an error. Unknown and foreign organizations give the same error. */
export async function authorizeOperation(
  ctx: Context,
  caller: Caller,
  scope: OperationScope,
  { organizationId, parameters }: { organizationId: string | undefined; parameters: PathParameters },
): Promise<ActedOn | ApiError> {
  const target = organizationId ?? caller.organizationId;
  switch (scope.level) {
    case "caller":
      return { organizationId: caller.organizationId };
    case "instance":
      return (await checkPermission(ctx, caller, scope.permission)) ?? { organizationId: caller.organizationId };
    case "organization":
    case "project": {
      const projectId = scope.level === "project" ? parameters.projectId : undefined;
      const refusal = await checkPermission(ctx, caller, scope.permission, { organizationId: target, projectId });
      return refusal ?? { organizationId: target };
    }
    case "projects": {
      const refusal = await checkPermission(ctx, caller, scope.permission, { organizationId: target });
      if (!refusal) return { organizationId: target };
      const projectIds = await listPermittedProjects(ctx, caller.userId, scope.permission, target);
      return projectIds.length > 0 ? { organizationId: target, projectIds } : refusal;
    }
    case "owner": {
      const owner = await scope.ownerOf(ctx, parameters);
      if (owner === undefined) {
        // Only callers with the permission on the instance get a 404; others get the same error as for a foreign
        // object.
        const everywhere = await hasPermission(ctx, caller.userId, scope.permission);
        if (everywhere) return notFound("resource.not_found", "Nothing exists with this ID. Check it and try again.");
      }
      const projectId = scope.isInProject ? parameters.projectId : undefined;
      const refusal = await checkPermission(ctx, caller, scope.permission, { organizationId: owner ?? "", projectId });
      return refusal ?? { organizationId: owner ?? "" };
    }
  }
}

async function readBody(ctx: Context, operation: Operation, request: OperationRequest): Promise<unknown | ApiError> {
  if (!operation.body) return undefined;
  const given = await request.body();
  if (isApiError(given)) return given;
  if (given !== undefined) return checkBody(ctx, operation, operation.body, given, request);
  if (operation.bodyIsOptional) return check(operation.body, {}, "body");
  if (operation.refuseBody) return checkBody(ctx, operation, operation.body, given, request);
  // Some operations accept any body and check it themselves.
  if (operation.body.safeParse(undefined).success) return undefined;
  return invalidArgument("request.no_body", "Send a JSON object as the body.");
}

/** Parses the body with the strict schema, and accepts the JSON of other services' clients (lenient-body.ts). */
async function checkBody(
  ctx: Context,
  operation: Operation,
  schema: z.ZodType,
  given: unknown,
  request: OperationRequest,
): Promise<unknown | ApiError> {
  const { bodyIsStrict, refuseBody } = operation;
  if (bodyIsStrict) return check(schema, given, "body");
  const result = parseLeniently(schema, given);
  if ("repeated" in result) return repeatedMember(result.repeated);
  const unused = result.success ? ((await operation.withoutEffect?.(ctx, result.data as never)) ?? []) : [];
  const ignored = [...result.ignored, ...unused];
  if (ignored.length > 0) request.onIgnored?.(ignored);
  if (result.success) return result.data;
  return refuseBody?.(result.error, result.sentAs) ?? inputError(result.error, "body");
}

/** Both spellings of a name are one field (proto3 JSON mapping), so sending both is ambiguous. */
const repeatedMember = (field: string): ApiError =>
  invalidArgument("request.repeated_member", `${field} was sent in both of its spellings.`, { field });

/** Returns the parsed value, or an error that names every mistake. */
function check(schema: Operation["body"], value: unknown, what: "body" | "query"): unknown | ApiError {
  if (!schema) return undefined;
  const parsed = schema.safeParse(value, { error: wordIssue });
  return parsed.success ? parsed.data : inputError(parsed.error, what);
}

function inputError(error: z.ZodError, what: "body" | "query"): ApiError {
  const problems = inputIssues(error).map(
    ({ path, reason }): Problem =>
      path
        ? fieldProblem("request.invalid", path, reason)
        : { id: "request.invalid", message: `The ${what} ${sentenceOf(reason)}`, reason },
  );
  const [first] = problems;
  return invalidArgument("request.invalid", first?.message ?? `The ${what} is not valid.`, {
    field: first?.field,
    reason: first?.reason,
    problems: problems.length > 1 ? problems : undefined,
  });
}
