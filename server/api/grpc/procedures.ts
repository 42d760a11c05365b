/** Operations as remote procedures: every method of the proto files is one, performed by the same code as REST. */

import { create, type DescMessage, type DescService, type Message } from "@bufbuild/protobuf";
import {
  type ConnectError,
  type ConnectRouter,
  type ContextValues,
  createContextKey,
  type HandlerContext,
  type ServiceImpl,
} from "@connectrpc/connect";
import type { PresentedCredentials } from "../../access/caller";
import type { Context } from "../../context";
import { newId } from "../../crypto/random";
import { refuseWhileUnavailable } from "../../directory/unavailable";
import { challengeFor, readersLanguage } from "../../http/api-errors";
import { namedMetadata } from "../../http/resource-metadata";
import { type ApiError, internal, isApiError } from "../../protocol/api-error";
import type { ClientCertificate } from "../../protocol/client-certificate";
import { operations } from "../all";
import { ignoredHeader } from "../operation/lenient-body";
import type { Operation } from "../operation/operation";
import { organizationInQuery, organizationNamed } from "../operation/organization-header";
import { misfitRefusal } from "../operation/parameters";
import { authorizeRequest, performOperation } from "../operation/perform";
import type { ServiceName } from "../operation/procedure";
import { isStreamed } from "../operation/streamed";
import { connectError } from "./errors";
import { methodOf, services } from "./services";

/** All procedures, for a router of any protocol. */
export function operationProcedures(ctx: Context): (router: ConnectRouter) => void {
  return (router) => {
    for (const name of Object.keys(services) as ServiceName[]) {
      const handlers = operations.flatMap((operation) => {
        const { procedure } = operation;
        if (procedure?.service !== name) return [];
        const { localName, output } = methodOf(procedure);
        return [[localName, answering(ctx, operation, procedure, output)]];
      });
      router.service(services[name], Object.fromEntries(handlers) as Partial<ServiceImpl<DescService>>);
    }
  };
}

/** The id of the request, if the application has already assigned one. */
export const requestIdKey = createContextKey<string | undefined>(undefined);
/** The client's certificate. */
export const certificateKey = createContextKey<ClientCertificate | undefined>(undefined);

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
  /** A message, or the fields of one. */
  answer(json: object, message: MessageFields): object;
}

/** The id of the refusal of a caller without the permission (access/permissions.ts). */
const NO_PERMISSION = "access.denied";

/** The implementation of a procedure whose answer is a message of type `output`. */
export function answering(ctx: Context, operation: Operation, conversion: MessageConversion, output: DescMessage) {
  return async (
    message: Message,
    { requestHeader, responseHeader, values, requestMethod, url, signal }: HandlerContext,
  ) => {
    const requestId = values.get(requestIdKey) ?? newId();
    responseHeader.set("x-request-id", requestId);
    const metadata = (name: string) => requestHeader.get(name) ?? undefined;
    // The library performs what is already too late.
    if (signal.aborted) throw signal.reason;
    const language = readersLanguage(metadata("accept-language"));
    const perform: Perform = async (wanted, converted) => {
      const { parameters, query = {}, body, isSent = () => true, organizationId, ownerId, refusal } = converted;
      const misfit = misfitRefusal(wanted, parameters);
      if (misfit) return misfit;
      const named = organizationId ?? organizationNamed(metadata) ?? organizationInQuery(wanted, query);
      const performIn = async (organizationId: string | undefined | ApiError) => {
        const request = {
          credentials: credentialsIn(requestHeader, requestMethod, new URL(url).pathname, values),
          organizationId,
          parameters,
          query,
          body: async () => body,
          ifMatch: metadata("if-match"),
          requestId,
          language,
          address: undefined,
          signal,
          onIgnored(paths: readonly string[]) {
            const sent = paths.filter(isSent);
            if (sent.length > 0) responseHeader.set("x-service-ignored", ignoredHeader(sent));
          },
        };
        if (!refusal) return performOperation(ctx, wanted, request);
        const allowed = await authorizeRequest(ctx, wanted, request);
        return isApiError(allowed) ? allowed : refusal;
      };
      const answer = await performIn(ownerId ?? named);
      const isForeign = ownerId !== undefined && isApiError(answer) && answer.id === NO_PERMISSION;
      return isForeign ? performIn(named) : answer;
    };
    const fields = message as unknown as MessageFields;
    const answer = await orRefusal(ctx, requestId, async () => {
      const converted = await conversion.request(fields, { ctx, perform });
      return isApiError(converted) ? converted : perform(converted.operation ?? operation, converted);
    });
    if (isApiError(answer)) throw await challengingError(ctx, operation, answer, { language, header: requestHeader });
    if (isStreamed(answer)) throw new Error(`${operation.id} has no message as its answer`);
    return create(output, conversion.answer(answer, fields) as Record<string, unknown>);
  };
}

/** Returns a refusal with the challenge that the same operation of REST has (rule METADATA-3). */
export async function challengingError(
  ctx: Context,
  operation: Operation | undefined,
  error: ApiError,
  { language, header }: { language: string; header: Headers },
): Promise<ConnectError> {
  const metadata = challengeFor(error, header.get("authorization") ?? undefined);
  const { "www-authenticate": challenge } = metadata;
  if (challenge === undefined) return connectError(error, language);
  const named = await namedMetadata(ctx, operation?.path ?? "");
  return connectError(error, language, { "www-authenticate": challenge + (named ?? "") });
}

/** The address of a procedure is its path, over gRPC and Connect alike. */
const credentialsIn = (header: Headers, method: string, path: string, values: ContextValues): PresentedCredentials => ({
  authorization: header.get("authorization") ?? undefined,
  dpop: header.get("dpop") ?? undefined,
  method,
  path,
  certificate: values.get(certificateKey),
});

/** What `work` answers; a refusal where it fails. */
function orRefusal<Answer>(ctx: Context, requestId: string, work: () => Promise<Answer>): Promise<Answer | ApiError> {
  return refuseWhileUnavailable(ctx, { requestId }, work).catch((error: unknown) => {
    // Logged in full, answered without details.
    ctx.log.error({ err: error, requestId }, "procedure failed");
    return internal(
      "service.unexpected",
      "Something went wrong on the server, and nothing was changed. Try again in a moment.",
    );
  });
}

const operationAt = new Map<string, Operation>(
  operations.flatMap((operation) => {
    const { procedure } = operation;
    return procedure ? [[`/${services[procedure.service].typeName}/${procedure.name}`, operation] as const] : [];
  }),
);

/** The operation behind the procedure of our own services at this path. */
export const ownOperationAt = (path: string): Operation | undefined => operationAt.get(path);

/** Why the caller may not call the procedure at this path, whatever the message says; undefined if they may. */
export async function callerRefusal(
  ctx: Context,
  operation: Operation | undefined,
  path: string,
  header: Headers,
  values: ContextValues,
): Promise<ApiError | undefined> {
  if (!operation) return undefined;
  const metadata = (name: string) => header.get(name) ?? undefined;
  const request = {
    credentials: credentialsIn(header, "POST", path, values),
    organizationId: organizationNamed(metadata),
    parameters: {},
  };
  const allowed = await orRefusal(ctx, values.get(requestIdKey) ?? newId(), () =>
    authorizeRequest(ctx, operation, request),
  );
  return isApiError(allowed) ? allowed : undefined;
}
