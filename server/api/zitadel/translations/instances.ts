/** The services of the instance. A message without an id means the instance that is called, which is the only one. */
import type { JsonObject } from "@bufbuild/protobuf";
import type { Context } from "../../../context";
import { findInstance } from "../../../directory/instance";
import type { OperationAddress } from "../../operation/operation";
import { dated, inServices, type MessageTranslation, sentOnly, stringIn } from "./translation";

const locate = async (ctx: Context, { instanceId }: JsonObject) => ({
  instanceId: stringIn(instanceId) || (await findInstance(ctx)).id,
});
const read = (at: OperationAddress): MessageTranslation => ({ at, locate });

const PATH = "/v2/instances/{instanceId}";

export const instanceTranslations = {
  ...inServices(["instance.v2.InstanceService", "instance.v2beta.InstanceService"], {
    GetInstance: read(`GET ${PATH}`),
    ListInstances: { at: "POST /v2/instances/search" },
    ListCustomDomains: read(`POST ${PATH}/custom-domains/search`),
    ListTrustedDomains: read(`POST ${PATH}/trusted-domains/search`),
  }),
  ...inServices(["admin.v1.AdminService"], {
    GetMyInstance: {
      ...read(`GET ${PATH}`),
      answer({ instance }) {
        const { creationDate, changeDate, domains = [], ...rest } = instance as JsonObject;
        const details = sentOnly({ creationDate, changeDate, resourceOwner: rest.id });
        return { instance: { ...rest, details, domains: (domains as JsonObject[]).map(domainOf) } };
      },
      empty: ["instance.details.sequence", "instance.domains.details.sequence"],
    },
  }),
  ...inServices(["webkey.v2.WebKeyService", "webkey.v2beta.WebKeyService"], {
    DeleteWebKey: {
      at: "DELETE /v2/web_keys/{id}",
      answer: dated("deletionDate"),
      soAlready: ["web_key.not_found"],
    },
  }),
};

const domainOf = ({ instanceId, creationDate, domain, primary, generated }: JsonObject): JsonObject =>
  sentOnly({ domain, primary, generated, details: sentOnly({ creationDate, resourceOwner: instanceId }) });
