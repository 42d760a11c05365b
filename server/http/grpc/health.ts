/** The health check that gRPC clients and load balancers know (grpc.health.v1): what `/readyz` says, in their words. */
import { Code, ConnectError, type ConnectRouter } from "@connectrpc/connect";
import type { Context } from "../../context";
import { isReady, type Readiness } from "../health";
import { Health, HealthCheckResponse_ServingStatus as Status } from "./generated/grpc/health/v1/health_pb";
import { textServices } from "./services";

/** Without Watch: clients that want it ask Check instead. */
export function healthProcedures(ctx: Context, readiness: Readiness): (router: ConnectRouter) => void {
  const names = new Set(["", Health.typeName, ...Object.values(textServices).map(({ typeName }) => typeName)]);
  return (router) => {
    router.service(Health, {
      async check({ service }) {
        if (!names.has(service)) throw new ConnectError("no such service", Code.NotFound);
        return { status: (await isReady(ctx, readiness)) ? Status.SERVING : Status.NOT_SERVING };
      },
    });
  };
}
