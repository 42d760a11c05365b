/**
 * Serves ZITADEL's procedures to its clients, under the names of its proto files, if the instance is compatible with
 * them. docs/zitadel.md lists them all.
 */
import type { RequestListener } from "node:http";
import type { Context } from "../../context";
import { isZitadelCompatible } from "../../directory/zitadel-compatibility";
import type { Methods, Routes } from "../../http/routes";
import { unimplemented } from "../../protocol/api-error";
import type { Readiness } from "../../readiness";
import { answerGrpc, grpcListener, postedAnswer } from "../grpc/endpoints";
import { operationProcedure } from "../grpc/procedures";
import type { ProcedureTable } from "../grpc/unary";
import { bridgedProcedures } from "./bridge";
import { describedZitadel, type ZitadelServiceName, zitadelServiceNames } from "./descriptors";

/** The path of a procedure of one of ZITADEL's services; undefined for other paths. */
function zitadelServiceAt(path: string): ZitadelServiceName | undefined {
  const [, service] = /^\/(zitadel\.[\w.]+)\/\w+$/.exec(path) ?? [];
  return zitadelServiceNames.find((name) => name === service);
}

const NOT_HERE = unimplemented(
  "procedure.not_here",
  "This procedure of ZITADEL does not exist here. docs/zitadel.md lists those that do, and why others do not.",
);

/** Returns a function that makes the procedures of a service when the first of them is called. */
function zitadelProcedures(ctx: Context): (name: ZitadelServiceName) => Promise<ProcedureTable> {
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

/** `POST /zitadel.…/{Method}`, Connect and gRPC-Web. The application answers only if the switch is on. */
export function zitadelRoutes(ctx: Context): Routes {
  const proceduresIn = zitadelProcedures(ctx);
  const routes = zitadelServiceNames.map((name): [string, Methods] => [
    `/${name}/:procedure`,
    { POST: async (_, http) => postedAnswer(ctx, (await proceduresIn(name)).get(http.req.path) ?? NOT_HERE, http) },
  ]);
  return Object.fromEntries(routes);
}

/** gRPC over HTTP/2, for our own services and, if the switch is on, those of ZITADEL. */
export function procedureListener(ctx: Context, readiness: Readiness): RequestListener {
  const isOn = () => isZitadelCompatible(ctx);
  const own = grpcListener(ctx, readiness, { isOn, names: zitadelServiceNames, read: describedZitadel });
  const proceduresIn = zitadelProcedures(ctx);
  return (request, response) => {
    const { url = "" } = request;
    const name = zitadelServiceAt(url);
    if (name === undefined) return own(request, response);
    const answer = async () => {
      if (!(await isOn())) return own(request, response);
      return answerGrpc(ctx, (await proceduresIn(name)).get(url) ?? NOT_HERE, request, response);
    };
    answer().catch((error: unknown) => response.destroy(error as Error));
  };
}
