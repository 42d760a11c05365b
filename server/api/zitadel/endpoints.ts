/**
 * Serves all operations as remote procedures: under our own names and, to ZITADEL's clients, under the names of its
 * proto files, if the instance is compatible with them. docs/zitadel.md lists them all.
 */
import type { RequestListener } from "node:http";
import type { Context } from "../../context";
import { isZitadelCompatible } from "../../directory/zitadel-compatibility";
import type { Http } from "../../http/env";
import type { Methods, Routes } from "../../http/routes";
import { unimplemented } from "../../protocol/api-error";
import type { Readiness } from "../../readiness";
import { answerGrpc, grpcListener, postedAnswer, procedureRoutes } from "../grpc/endpoints";
import { operationProcedure, operationProcedures } from "../grpc/procedures";
import type { MoreServices } from "../grpc/reflection";
import type { ProcedureTable } from "../grpc/unary";
import { bridgedProcedures, isAnswered } from "./bridge";
import { describedZitadel, type ZitadelServiceName, zitadelServiceNames } from "./descriptors";
import { describedOwnServices, ownServices } from "./own-services";
import { zitadelRestRoutes } from "./rest";

const NOT_HERE = unimplemented(
  "procedure.not_here",
  "This procedure of ZITADEL does not exist here. docs/zitadel.md lists those that do, and why others do not.",
);

type ProceduresIn = (name: ZitadelServiceName) => Promise<ProcedureTable>;

/** Returns a function that makes the procedures of a service when the first of them is called. */
function zitadelProcedures(ctx: Context): ProceduresIn {
  const made = new Map<ZitadelServiceName, Promise<ProcedureTable>>();
  return (name) => {
    const known = made.get(name) ?? proceduresOf(ctx, name);
    made.set(name, known);
    return known;
  };
}

async function proceduresOf(ctx: Context, name: ZitadelServiceName): Promise<ProcedureTable> {
  const procedures = await bridgedProcedures(name);
  return new Map(
    procedures.map(({ method, bridge }) => [
      `/${name}/${method.name}`,
      bridge ? operationProcedure(ctx, bridge.operation, bridge, method) : NOT_HERE,
    ]),
  );
}

const SERVICE = /^\/([\w.]+)\/(\w+)$/;

/** Returns a function that finds a procedure of our services by its path. */
function ownProcedures(ctx: Context, proceduresIn: ProceduresIn) {
  const texts = operationProcedures(ctx);
  return async (path: string) => {
    const [, service = "", method = ""] = SERVICE.exec(path) ?? [];
    const name = ownServices.get(service);
    if (texts.has(path) || !name || !isAnswered(name, method)) return texts.get(path);
    return (await proceduresIn(name)).get(`/${name}/${method}`);
  };
}

const moreServices = (ctx: Context): MoreServices[] => [
  { isOn: () => true, names: [...ownServices.keys()], read: describedOwnServices },
  { isOn: () => isZitadelCompatible(ctx), names: zitadelServiceNames, read: describedZitadel },
];

interface AllProcedures {
  /** `POST /service.…/{Method}`, Connect and gRPC-Web. */
  own: Routes;
  /** `POST /zitadel.…/{Method}`. The application answers only if the switch is on. */
  zitadel: Routes;
  /** REST needs no switch. */
  rest: Routes;
}

export function allProcedureRoutes(ctx: Context, readiness: Readiness): AllProcedures {
  const proceduresIn = zitadelProcedures(ctx);
  const ownProcedure = ownProcedures(ctx, proceduresIn);
  const own = [...ownServices.keys()].map((name): [string, Methods] => {
    const answer = async (_: Context, http: Http) => {
      const procedure = await ownProcedure(http.req.path);
      return procedure ? postedAnswer(ctx, procedure, http) : http.notFound();
    };
    return [`/${name}/:procedure`, { POST: answer }];
  });
  const zitadel = zitadelServiceNames.map((name): [string, Methods] => [
    `/${name}/:procedure`,
    { POST: async (_, http) => postedAnswer(ctx, (await proceduresIn(name)).get(http.req.path) ?? NOT_HERE, http) },
  ]);
  return {
    own: { ...procedureRoutes(ctx, readiness, moreServices(ctx)), ...Object.fromEntries(own) },
    zitadel: Object.fromEntries(zitadel),
    rest: zitadelRestRoutes(ctx, proceduresIn),
  };
}

/** gRPC over HTTP/2, for our own services and, if the switch is on, those of ZITADEL. */
export function procedureListener(ctx: Context, readiness: Readiness): RequestListener {
  const first = grpcListener(ctx, readiness, moreServices(ctx));
  const proceduresIn = zitadelProcedures(ctx);
  const ownProcedure = ownProcedures(ctx, proceduresIn);
  const procedureAt = async (path: string) => {
    const [, service] = SERVICE.exec(path) ?? [];
    const name = zitadelServiceNames.find((one) => one === service);
    if (!name) return ownProcedure(path);
    return (await isZitadelCompatible(ctx)) ? ((await proceduresIn(name)).get(path) ?? NOT_HERE) : undefined;
  };
  return (request, response) => {
    const answer = async () => {
      const procedure = await procedureAt(request.url ?? "");
      return procedure ? answerGrpc(ctx, procedure, request, response) : first(request, response);
    };
    answer().catch((error: unknown) => response.destroy(error as Error));
  };
}
