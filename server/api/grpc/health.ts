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
import type { MoreServices } from "./reflection";
import type { ProcedureTable, UnaryProcedure } from "./unary";

/** Without Watch; clients fall back to Check. @param more the services beside this one */
export function healthProcedures(
  ctx: Context,
  readiness: Readiness,
  more: readonly MoreServices[] = [],
): ProcedureTable {
  const { input, output } = Health.method.check;
  const check: UnaryProcedure = {
    input,
    output,
    async perform(message: Message) {
      const { service } = message as HealthCheckRequest;
      const [known] = more.filter(({ names }) => names.includes(service));
      if (!["", Health.typeName].includes(service) && !(await known?.isOn())) {
        return new ConnectError("no such service", Code.NotFound);
      }
      const { isReady } = await examineReadiness(ctx, readiness);
      return create(HealthCheckResponseSchema, { status: isReady ? Status.SERVING : Status.NOT_SERVING });
    },
  };
  return new Map([[`/${Health.typeName}/Check`, check]]);
}
