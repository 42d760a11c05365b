/**
 * Refusals that come from no operation (unknown address, wrong method, too large a body, the unforeseen) for clients
 * that do not read the JSON of the management APIs: remote procedures have errors of their own, and REST clients may
 * have asked for gRPC (rule GRPC-1).
 */
import { errorToJson } from "@connectrpc/connect/protocol-connect";
import { callersLanguage } from "../../http/api-errors";
import type { Http } from "../../http/env";
import { type ApiError, resourceExhausted, unimplemented } from "../../protocol/api-error";
import { connectError } from "./errors";
import { framed, type Init, negotiateMedia } from "./media";

const TEXTS = /^\/(?:admin|management)\/v1\/text\//;
const PROCEDURE = /^\/(?:service|zitadel)\.[\w.]+\/\w+$/;
const GRPC_WEB = /^application\/grpc-web(?:$|[+;])/;
const CONNECT = /^application\/(?:connect\+)?(?:json|proto)(?:$|;)/;

/**
 * The refusal in the words of the client's protocol; undefined where that is JSON.
 * @param init status and headers of the JSON answer
 */
export function protocolRefusal(http: Http, error: ApiError, init: Init): Response | undefined {
  const { method, path } = http.req;
  const type = method === "POST" ? (http.req.header("content-type")?.toLowerCase() ?? "") : "";
  if (GRPC_WEB.test(type)) {
    return framed(http, "application/grpc-web+proto", "", ofProcedure(error, init), { ...init, status: 200 });
  }
  if (PROCEDURE.test(path) && CONNECT.test(type)) {
    const json = errorToJson(connectError(ofProcedure(error, init), callersLanguage(http)), undefined);
    return http.json(json, init.status as 400, init.headers);
  }
  const media = TEXTS.test(path) ? negotiateMedia(http.req.header("accept")) : "application/json";
  return media === "application/json" ? undefined : framed(http, media, "", error, init);
}

/** What gRPC says where HTTP has a status of its own. */
function ofProcedure(error: ApiError, { status }: Init): ApiError {
  const make = { 404: unimplemented, 413: resourceExhausted }[status];
  return make ? make(error.id, error.message) : error;
}
