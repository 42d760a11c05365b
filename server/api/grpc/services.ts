/**
 * The two services of the message texts as remote procedures: every procedure of the proto files is an operation of the
 * table, performed by the same code as REST.
 */
import { create, type DescMethod, type DescService, type Message } from "@bufbuild/protobuf";
import { type ConnectRouter, createContextKey, type HandlerContext, type ServiceImpl } from "@connectrpc/connect";
import type { Context } from "../../context";
import { newId } from "../../crypto/random";
import { internal, isApiError, unavailable } from "../../protocol/api-error";
import { isUnavailable } from "../../storage/engine/unavailable";
import { fieldsOf } from "../../texts/message-text";
import type { Level } from "../../texts/text-owner";
import { organizationNamed } from "../organization-header";
import { type TextOperation, textOperations } from "../texts/operations";
import { performTextOperation } from "../texts/perform";
import { AdminService } from "./generated/service/admin/v1/admin_pb";
import { ManagementService } from "./generated/service/management/v1/management_pb";
import { answerFields, connectError } from "./messages";

export const textServices: Readonly<Record<Level, DescService>> = {
  instance: AdminService,
  organization: ManagementService,
};

/** The procedure of an operation. Throws where the proto files lack it. */
export function procedureOf({ level, rpc }: TextOperation): DescMethod {
  const method = textServices[level].methods.find(({ name }) => name === rpc);
  if (!method) throw new Error(`the proto files have no ${rpc} at ${level} level`);
  return method;
}

/** All procedures, for a router of any protocol. */
export function textProcedures(ctx: Context): (router: ConnectRouter) => void {
  return (router) => {
    for (const level of ["instance", "organization"] as const) {
      const handlers = textOperations
        .filter((operation) => operation.level === level)
        .map((operation) => [procedureOf(operation).localName, procedure(ctx, operation)]);
      router.service(textServices[level], Object.fromEntries(handlers) as Partial<ServiceImpl<DescService>>);
    }
  };
}

/** The id of the request, if the application has already assigned one. */
export const requestIdKey = createContextKey<string | undefined>(undefined);

type TextMessage = Message & { language: string } & Partial<Record<string, unknown>>;

function procedure(ctx: Context, operation: TextOperation) {
  const { output } = procedureOf(operation);
  const fields = fieldsOf(operation.type);
  return async (message: TextMessage, { requestHeader, responseHeader, values }: HandlerContext) => {
    const requestId = values.get(requestIdKey) ?? newId();
    responseHeader.set("x-request-id", requestId);
    const metadata = (name: string) => requestHeader.get(name) ?? undefined;
    const answer = await performTextOperation(ctx, operation, {
      authorization: metadata("authorization"),
      organizationId: organizationNamed(metadata),
      ifMatch: metadata("if-match"),
      language: message.language,
      body: async () => Object.fromEntries(fields.map((field) => [field, message[field]])),
      requestId,
    }).catch((error: unknown) => unforeseen(ctx, requestId, error));
    if (isApiError(answer)) throw connectError(answer);
    return create(output, { ...answerFields(answer) });
  };
}

/** Logged in full, answered without details. */
function unforeseen(ctx: Context, requestId: string, error: unknown) {
  const isBusy = isUnavailable(error);
  ctx.log[isBusy ? "warn" : "error"]({ err: error, requestId }, "procedure failed");
  return isBusy
    ? unavailable("service.unavailable", "Try again shortly.")
    : internal("service.unexpected", "Something unexpected happened.");
}
