/** Operations as remote procedures: every method of the proto files is one, performed by the same code as REST. */

import { create, type DescService, type Message } from "@bufbuild/protobuf";
import {
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
import { readersLanguage } from "../../http/api-errors";
import { type ApiError, internal, isApiError } from "../../protocol/api-error";
import type { ClientCertificate } from "../../protocol/client-certificate";
import { operations } from "../all";
import type { Operation } from "../operation/operation";
import { organizationNamed } from "../operation/organization-header";
import { authorizeRequest, performOperation } from "../operation/perform";
import type { Procedure, ServiceName } from "../operation/procedure";
import { connectError } from "./errors";
import { methodOf, services } from "./services";

/** All procedures, for a router of any protocol. */
export function operationProcedures(ctx: Context): (router: ConnectRouter) => void {
  return (router) => {
    for (const name of Object.keys(services) as ServiceName[]) {
      const handlers = operations.flatMap((operation) => {
        const { procedure } = operation;
        if (procedure?.service !== name) return [];
        return [[methodOf(procedure).localName, answering(ctx, operation, procedure)]];
      });
      router.service(services[name], Object.fromEntries(handlers) as Partial<ServiceImpl<DescService>>);
    }
  };
}

/** The id of the request, if the application has already assigned one. */
export const requestIdKey = createContextKey<string | undefined>(undefined);
/** The client's certificate. */
export const certificateKey = createContextKey<ClientCertificate | undefined>(undefined);

function answering(ctx: Context, operation: Operation, procedure: Procedure) {
  const { output } = methodOf(procedure);
  return async (message: Message, { requestHeader, responseHeader, values, requestMethod, url }: HandlerContext) => {
    const requestId = values.get(requestIdKey) ?? newId();
    responseHeader.set("x-request-id", requestId);
    const metadata = (name: string) => requestHeader.get(name) ?? undefined;
    const { parameters, body } = procedure.request(message as unknown as Readonly<Record<string, unknown>>);
    const language = readersLanguage(metadata("accept-language"));
    const perform = () =>
      performOperation(ctx, operation, {
        credentials: credentialsIn(requestHeader, requestMethod, new URL(url).pathname, values),
        organizationId: organizationNamed(metadata),
        parameters,
        query: {},
        body: async () => body,
        ifMatch: metadata("if-match"),
        requestId,
        language,
        address: undefined,
      });
    const answer = await orRefusal(ctx, requestId, perform);
    if (isApiError(answer)) throw connectError(answer, language);
    return create(output, procedure.answer(answer));
  };
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

/** Why the caller may not call the procedure at this path, whatever the message says; undefined if they may. */
export async function callerRefusal(
  ctx: Context,
  path: string,
  header: Headers,
  values: ContextValues,
): Promise<ApiError | undefined> {
  const operation = operationAt.get(path);
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
