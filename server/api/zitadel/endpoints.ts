/**
 * Serves ZITADEL's procedures to its clients, under the names of its proto files, if the instance is compatible with
 * them. docs/zitadel.md lists them all.
 */
import type { RequestListener } from "node:http";
import type { DescMethod, DescService } from "@bufbuild/protobuf";
import { type ConnectRouter, createConnectRouter, type HandlerContext, type ServiceImpl } from "@connectrpc/connect";
import type { UniversalHandler } from "@connectrpc/connect/protocol";
import { connectNodeAdapter } from "@connectrpc/connect-node";
import type { Context } from "../../context";
import { isZitadelCompatible } from "../../directory/zitadel-compatibility";
import { apiErrorAnswer, readersLanguage } from "../../http/api-errors";
import type { Handler, Methods, Routes } from "../../http/routes";
import { type ApiError, unimplemented } from "../../protocol/api-error";
import { answerWith, grpcOptions, postedAnswer, procedureOptions } from "../grpc/endpoints";
import { connectError } from "../grpc/errors";
import { answering } from "../grpc/procedures";
import { type OperationAt, refusingUnread } from "../grpc/unread";
import { bridgedProcedures } from "./bridge";
import { type ZitadelServiceName, zitadelServiceNames } from "./descriptors";

/** The path of a procedure of one of ZITADEL's services; undefined for other paths. */
function zitadelServiceAt(path: string): ZitadelServiceName | undefined {
  const [, service] = /^\/(zitadel\.[\w.]+)\/\w+$/.exec(path) ?? [];
  return zitadelServiceNames.find((name) => name === service);
}

const noSuchProcedure = (): ApiError =>
  unimplemented(
    "procedure.not_here",
    "This procedure of ZITADEL does not exist here. docs/zitadel.md lists those that do, and why others do not.",
  );

/** `POST /zitadel.…/{Method}`, Connect and gRPC-Web. The application answers only if the switch is on. */
export function zitadelRoutes(ctx: Context): Routes {
  const routes = zitadelServiceNames.map((name): [string, Methods] => {
    let handlers: ReturnType<typeof handlersOf> | undefined;
    const POST: Handler = async (_, http) => {
      handlers ??= handlersOf(ctx, name, { grpc: false });
      const handler = (await handlers).find(({ requestPath }) => requestPath === http.req.path);
      return handler ? postedAnswer(ctx, handler, http) : apiErrorAnswer(http, noSuchProcedure());
    };
    return [`/${name}/:procedure`, { POST }];
  });
  return Object.fromEntries(routes);
}

/** Chooses between the listeners of gRPC: that of our own services, and those of ZITADEL's, made at the first call. */
export function withZitadel(ctx: Context, own: RequestListener): RequestListener {
  const made = new Map<ZitadelServiceName, Promise<RequestListener>>();
  const listenerOf = async (name: ZitadelServiceName): Promise<RequestListener> => {
    if (!(await isZitadelCompatible(ctx))) return own;
    const known = made.get(name) ?? zitadelListener(ctx, name);
    made.set(name, known);
    return known;
  };
  return (request, response) => {
    const name = zitadelServiceAt(request.url ?? "");
    if (name === undefined) return own(request, response);
    listenerOf(name).then(
      (listen) => listen(request, response),
      (error: unknown) => response.destroy(error as Error),
    );
  };
}

async function zitadelListener(ctx: Context, name: ZitadelServiceName): Promise<RequestListener> {
  const handlers = await handlersOf(ctx, name, { connect: false, grpcWeb: false });
  const routes = (router: ConnectRouter) => void router.handlers.push(...handlers);
  const adapter = connectNodeAdapter({ ...grpcOptions(ctx), routes, fallback: answerWith(noSuchProcedure()) });
  return (request, response) => void adapter(request, response);
}

async function handlersOf(
  ctx: Context,
  name: ZitadelServiceName,
  protocols: NonNullable<Parameters<typeof createConnectRouter>[0]>,
): Promise<UniversalHandler[]> {
  const router = createConnectRouter({ ...procedureOptions, ...protocols });
  const operationAt = await addZitadelService(ctx, name, router);
  return router.handlers.map((each) => refusingUnread(ctx, each, operationAt));
}

/** Adds the service to a router, and returns the operations behind its procedures. */
async function addZitadelService(ctx: Context, name: ZitadelServiceName, router: ConnectRouter): Promise<OperationAt> {
  const procedures = await bridgedProcedures(name);
  const handlers = procedures.map(({ method, bridge }) => [
    method.localName,
    bridge ? answering(ctx, bridge.operation, bridge, method.output) : refusing,
  ]);
  const [first] = procedures;
  if (first) router.service(serviceOf(first.method), Object.fromEntries(handlers) as Partial<ServiceImpl<DescService>>);
  const operationsByPath = new Map(procedures.map(({ method, bridge }) => [pathOf(method), bridge?.operation]));
  return (path) => operationsByPath.get(path);
}

const serviceOf = ({ parent }: DescMethod): DescService => parent;
const pathOf = ({ parent, name }: DescMethod): string => `/${parent.typeName}/${name}`;

function refusing(_: unknown, { requestHeader }: HandlerContext): never {
  throw connectError(noSuchProcedure(), readersLanguage(requestHeader.get("accept-language") ?? undefined));
}
