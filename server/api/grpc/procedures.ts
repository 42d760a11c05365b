/** Operations as remote procedures: every method of the proto files is one, performed by the same code as REST. */

import { create, type DescMessage } from "@bufbuild/protobuf";
import type { ConnectError } from "@connectrpc/connect";
import { authenticateCaller, type PresentedCredentials } from "../../access/caller";
import type { Context } from "../../context";
import { challengeFor } from "../../http/api-errors";
import { namedMetadata } from "../../http/resource-metadata";
import { type ApiError, isApiError } from "../../protocol/api-error";
import { operations } from "../all";
import { ignoredHeader } from "../operation/lenient-body";
import type { Operation } from "../operation/operation";
import { organizationInQuery, organizationNamed } from "../operation/organization-header";
import { misfitRefusal } from "../operation/parameters";
import { authorizeRequest, performOperation } from "../operation/perform";
import { isStreamed } from "../operation/streamed";
import { connectError } from "./errors";
import { JsonMessage } from "./json-message";
import { methodOf, services } from "./services";
import { callersTongue, type ProcedureCall, type ProcedureTable, type UnaryProcedure } from "./unary";

/** All procedures of our own services, by their paths. */
export function operationProcedures(ctx: Context): ProcedureTable {
  return new Map(
    operations.flatMap((operation) => {
      const { procedure } = operation;
      if (!procedure) return [];
      const path = `/${services[procedure.service].typeName}/${procedure.name}`;
      return [[path, operationProcedure(ctx, operation, procedure, methodOf(procedure))] as const];
    }),
  );
}

/** What a message asks for, as a request by REST would say it. */
export interface ConvertedRequest {
  /** Where the message decides which operation it is. */
  operation?: Operation;
  /** The organization that the message names; left out where the metadata do. */
  organizationId?: string;
  /**
   * The organization that owns what the message names by its id alone. A caller without the permission there is
   * answered as if it had no such object (attack: probing for ids).
   */
  ownerId?: string;
  /** What is wrong with the message, for callers with the permission. */
  refusal?: ApiError;
  parameters: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, string | readonly string[]>>;
  body?: unknown;
  /** Whether a member of the body was sent, where absent fields are in it as well. */
  isSent?(path: string): boolean;
}

/** Performs an operation for the caller of a procedure. */
export type Perform = (operation: Operation, request: ConvertedRequest) => Promise<object | ApiError>;

type MessageFields = Readonly<Record<string, unknown>>;

/** How messages are converted to the requests and from the answers of an operation. */
export interface MessageConversion {
  /** @param calling `perform` reads what the request depends on, with the permissions of the caller */
  request(
    message: MessageFields,
    calling: { ctx: Context; perform: Perform },
  ): ConvertedRequest | ApiError | Promise<ConvertedRequest | ApiError>;
  /** Whether a refusal says that it is so already, which is then answered like a change. */
  isSoAlready?(refusal: ApiError): boolean;
  /** A message in JSON, or the fields of one. */
  answer(json: object, message: MessageFields): JsonMessage | Readonly<Record<string, unknown>>;
}

/** The id of the refusal of a caller without the permission (access/permissions.ts). */
const NO_PERMISSION = "access.denied";

/** An operation as a procedure. */
export function operationProcedure(
  ctx: Context,
  operation: Operation,
  conversion: MessageConversion,
  { input, output }: { input: DescMessage; output: DescMessage },
): UnaryProcedure {
  return {
    input,
    output,
    async refusal(call) {
      const request = { credentials: credentialsOf(call), organizationId: organizationNamed(call.metadata) };
      const allowed = await authorizeRequest(ctx, operation, { ...request, parameters: {} });
      return isApiError(allowed) ? withChallenge(ctx, operation, allowed, call) : undefined;
    },
    async perform(message, call) {
      const perform: Perform = (wanted, converted) => performConverted(ctx, wanted, converted, call);
      const fields = message as unknown as MessageFields;
      const converted = await conversion.request(fields, { ctx, perform });
      if (isApiError(converted)) return converted;
      const answer = await perform(converted.operation ?? operation, converted);
      if (isApiError(answer)) {
        if (!conversion.isSoAlready?.(answer)) return withChallenge(ctx, operation, answer, call);
        return conversion.answer({}, fields) as JsonMessage;
      }
      if (isStreamed(answer)) throw new Error(`${operation.id} has no message as its answer`);
      const answered = conversion.answer(answer, fields);
      return answered instanceof JsonMessage ? answered : create(output, answered as Record<string, unknown>);
    },
  };
}

/** Returns a refusal with the challenge that the same operation of REST has (rule METADATA-3). */
async function withChallenge(
  ctx: Context,
  { path }: Operation,
  error: ApiError,
  call: ProcedureCall,
): Promise<ConnectError | ApiError> {
  if (call.rest) return error;
  const { "www-authenticate": challenge } = challengeFor(error, call.metadata("authorization"));
  if (challenge === undefined) return error;
  const named = await namedMetadata(ctx, path);
  return connectError(error, callersTongue(call), { "www-authenticate": challenge + (named ?? "") });
}

async function performConverted(
  ctx: Context,
  operation: Operation,
  { parameters, query = {}, body, isSent = () => true, organizationId, ownerId, refusal }: ConvertedRequest,
  call: ProcedureCall,
): Promise<object | ApiError> {
  const misfit = misfitRefusal(operation, parameters);
  if (misfit) {
    const caller = await authenticateCaller(ctx, credentialsOf(call));
    return isApiError(caller) ? caller : misfit;
  }
  const { metadata, requestId, address, signal, headers } = call;
  const named = organizationId ?? organizationNamed(metadata) ?? organizationInQuery(operation, query);
  const performIn = async (organizationId: string | undefined | ApiError) => {
    const request = {
      credentials: credentialsOf(call),
      organizationId,
      parameters,
      query,
      body: async () => body,
      ifMatch: metadata("if-match"),
      requestId,
      language: callersTongue(call),
      address,
      signal,
      onIgnored(paths: readonly string[]) {
        const sent = paths.filter(isSent);
        if (sent.length > 0) headers["x-service-ignored"] = ignoredHeader(sent);
      },
    };
    if (!refusal) return performOperation(ctx, operation, request);
    const allowed = await authorizeRequest(ctx, operation, request);
    return isApiError(allowed) ? allowed : refusal;
  };
  const answer = await performIn(ownerId ?? named);
  const isForeign = ownerId !== undefined && isApiError(answer) && answer.id === NO_PERMISSION;
  return isForeign ? performIn(named) : answer;
}

/** The address of a procedure is its path, over gRPC and Connect alike. */
const credentialsOf = ({ rest, metadata, path, certificate }: ProcedureCall): PresentedCredentials =>
  rest ?? { authorization: metadata("authorization"), dpop: metadata("dpop"), method: "POST", path, certificate };
