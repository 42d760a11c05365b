/** The services of the proto files, whose methods are procedures of operations. */
import type { DescMethod, DescService } from "@bufbuild/protobuf";
import type { Procedure, ServiceName } from "../operation/procedure";
import { AdminService } from "./generated/service/admin/v1/admin_pb";
import { ManagementService } from "./generated/service/management/v1/management_pb";

export const services: Readonly<Record<ServiceName, DescService>> = { AdminService, ManagementService };

/** The method of a procedure. Throws where the proto files lack it. */
export function methodOf({ service, name: wanted }: Procedure): DescMethod {
  const method = services[service].methods.find(({ name }) => name === wanted);
  if (!method) throw new Error(`the proto files have no ${wanted} in ${service}`);
  return method;
}
