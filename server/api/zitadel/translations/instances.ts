/** The instance services. A message without an id means the instance that is called, which is the only one. */
import type { JsonObject } from "@bufbuild/protobuf";
import type { Context } from "../../../context";
import { findInstance } from "../../../directory/instance";
import type { OperationAddress } from "../../operation/operation";
import { inServices, type MessageTranslation, stringIn } from "./translation";

const locate = async (ctx: Context, { instanceId }: JsonObject) => ({
  instanceId: stringIn(instanceId) || (await findInstance(ctx)).id,
});
const read = (at: OperationAddress): MessageTranslation => ({ at, locate });

const PATH = "/v2/instances/{instanceId}";

export const instanceTranslations = inServices(["instance.v2.InstanceService", "instance.v2beta.InstanceService"], {
  GetInstance: read(`GET ${PATH}`),
  ListInstances: { at: "POST /v2/instances/search" },
  ListCustomDomains: read(`POST ${PATH}/custom-domains/search`),
  ListTrustedDomains: read(`POST ${PATH}/trusted-domains/search`),
});
