/**
 * The one door of all operations: who calls, whether he may, and only then what the request says. So nobody learns from
 * a refusal whether something exists (attack: probing for foreign organizations), and no handler can forget to ask.
 */
import { authenticateCaller, type Caller } from "../../access/caller";
import { checkPermission } from "../../access/permissions";
import type { Context } from "../../context";
import { hasPermission, listPermittedProjects } from "../../directory/member/permissions";
import { type ApiError, aborted, invalidArgument, isApiError, notFound } from "../../protocol/api-error";
import { inputIssues, wordIssue } from "../../protocol/input-issues";
import { isOvertaken } from "../../storage/engine/violations";
import type { Operation, OperationCall, Parameters, Scope } from "./operation";

export interface OperationRequest {
  authorization: string | undefined;
  /** The header `x-service-orgid`. */
  organizationId: string | undefined;
  parameters: Parameters;
  query: Readonly<Record<string, string>>;
  /** Read once the caller is known to be allowed: JSON as parsed, undefined where there is none. */
  body(): Promise<unknown | ApiError>;
  requestId: string | undefined;
  address: string | undefined;
}

export async function performOperation(
  ctx: Context,
  operation: Operation,
  request: OperationRequest,
): Promise<object | ApiError> {
  const caller = await authenticateCaller(ctx, request.authorization);
  if (isApiError(caller)) return caller;
  const place = await authorizeOperation(ctx, caller, operation.scope, request);
  if (isApiError(place)) return place;
  const query = check(operation.query, request.query, "query");
  if (isApiError(query)) return query;
  const body = await readBody(operation, request);
  if (isApiError(body)) return body;
  const call = {
    ...{ caller, origin: { actor: caller.userId, requestId: request.requestId }, ...place },
    ...{ parameters: request.parameters, query, body, address: request.address },
  };
  try {
    return (await operation.handle(ctx, call)) as object | ApiError;
  } catch (error) {
    if (!isOvertaken(error)) throw error;
    // What it was about was removed, or made by somebody else, between two of its steps.
    ctx.log.warn({ err: error, operation: operation.id }, "overtaken by another change");
    return aborted("request.overtaken", "Somebody else changed this at the same time: look again.");
  }
}

/** What is acted on. */
export type ActedOn = Pick<OperationCall<unknown, unknown>, "organizationId" | "projectIds">;

/** What is acted on, where the caller may; unknown and foreign organizations are refused alike. */
export async function authorizeOperation(
  ctx: Context,
  caller: Caller,
  scope: Scope,
  { organizationId, parameters }: Pick<OperationRequest, "organizationId" | "parameters">,
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
        // Who may everywhere is told the truth; everybody else what he would be told of something foreign.
        const everywhere = await hasPermission(ctx, caller.userId, scope.permission);
        if (everywhere) return notFound("resource.not_found", "There is no such thing.");
      }
      const refusal = await checkPermission(ctx, caller, scope.permission, { organizationId: owner ?? "" });
      return refusal ?? { organizationId: owner ?? "" };
    }
  }
}

async function readBody(operation: Operation, request: OperationRequest): Promise<unknown | ApiError> {
  if (!operation.body) return undefined;
  const given = await request.body();
  if (isApiError(given)) return given;
  if (given !== undefined) return check(operation.body, given, "body");
  if (operation.bodyIsOptional) return check(operation.body, {}, "body");
  // Some look at what came by themselves, and say it in their own words.
  if (operation.body.safeParse(undefined).success) return undefined;
  return invalidArgument("request.no_body", "Send a JSON object as the body.");
}

/** The value as its schema gives it, or every mistake in it. */
function check(schema: Operation["body"], value: unknown, what: "body" | "query"): unknown | ApiError {
  if (!schema) return undefined;
  const parsed = schema.safeParse(value, { error: wordIssue });
  if (parsed.success) return parsed.data;
  const problems = inputIssues(parsed.error).map(({ path, reason }) => ({
    id: "request.invalid",
    message: `${path || `The ${what}`} ${reason}`,
    ...(path && { field: path }),
  }));
  const [first] = problems;
  return invalidArgument("request.invalid", first?.message ?? `The ${what} is not valid.`, {
    field: first?.field,
    problems: problems.length > 1 ? problems : undefined,
  });
}
