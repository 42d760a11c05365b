/** The standard health check for gRPC clients and load balancers (grpc.health.v1), with the result of `/readyz`. */
import { create, type Message } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import type { Context } from "../../context";
import { examineReadiness, type Readiness } from "../../readiness";
import {
  Health,
  type HealthCheckRequest,
  HealthCheckResponseSchema,
  HealthCheckResponse_ServingStatus as Status,
} from "./generated/grpc/health/v1/health_pb";
import { services } from "./services";
import type { ProcedureTable, UnaryProcedure } from "./unary";

/** Without Watch; clients fall back to Check. */
export function healthProcedures(ctx: Context, readiness: Readiness): ProcedureTable {
  const names = new Set(["", Health.typeName, ...Object.values(services).map(({ typeName }) => typeName)]);
  const { input, output } = Health.method.check;
  const check: UnaryProcedure = {
    input,
    output,
    async perform(message: Message) {
      if (!names.has((message as HealthCheckRequest).service)) {
        return new ConnectError("no such service", Code.NotFound);
      }
      const { isReady } = await examineReadiness(ctx, readiness);
      return create(HealthCheckResponseSchema, { status: isReady ? Status.SERVING : Status.NOT_SERVING });
    },
  };
  return new Map([[`/${Health.typeName}/Check`, check]]);
}
