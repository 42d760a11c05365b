/** The standard health check for gRPC clients and load balancers (grpc.health.v1), with the result of `/readyz`. */
import { Code, ConnectError, type ConnectRouter } from "@connectrpc/connect";
import type { Context } from "../../context";
import { examineReadiness, type Readiness } from "../../readiness";
import { Health, HealthCheckResponse_ServingStatus as Status } from "./generated/grpc/health/v1/health_pb";
import { services } from "./services";

/** Without Watch; clients fall back to Check. */
export function healthProcedures(ctx: Context, readiness: Readiness): (router: ConnectRouter) => void {
  const names = new Set(["", Health.typeName, ...Object.values(services).map(({ typeName }) => typeName)]);
  return (router) => {
    router.service(Health, {
      async check({ service }) {
        if (!names.has(service)) throw new ConnectError("no such service", Code.NotFound);
        const { isReady } = await examineReadiness(ctx, readiness);
        return { status: isReady ? Status.SERVING : Status.NOT_SERVING };
      },
    });
  };
}
