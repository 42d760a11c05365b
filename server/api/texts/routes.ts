/**
 * The addresses of the message texts (Spec: Endpoints; reference: REST). One handler for all operations of the table,
 * and what editors also need: explanation, preview, trial mail, variables. Only bearer tokens, no cookies, so that no
 * page of another site can use them (attack: CSRF).
 */
import type { z } from "zod";
import type { Caller } from "../../access/caller";
import type { Context } from "../../context";
import { findInstance } from "../../directory/instance";
import { allowedAmong } from "../../directory/policy/restrictions";
import { apiAnswer, apiErrorAnswer, callerOf, jsonBody } from "../../http/api-errors";
import type { Http } from "../../http/env";
import { clientAddress } from "../../http/request";
import type { Handler, Methods, Routes } from "../../http/routes";
import { previewMessage } from "../../mail/preview-message";
import { findTrial, sendTrial } from "../../mail/send-trial";
import { type ApiError, GRPC_CODES, httpStatusOf, invalidArgument, isApiError } from "../../protocol/api-error";
import { exportTexts, overviewTexts } from "../../texts/customizations";
import { explainMessageText } from "../../texts/explain";
import { MESSAGE_TYPES, type MessageType } from "../../texts/kinds";
import { LANGUAGES } from "../../texts/languages";
import { authorizeOwner, type Level, type TextTarget } from "../../texts/text-owner";
import { variablesOf } from "../../texts/variables";
import { grpcAnswer, negotiateMedia } from "../grpc/media";
import { organizationOf } from "../organization-header";
import { textAnswerJson, withoutDefaults } from "./json";
import { BASE_PATHS, type TextOperation, textOperations } from "./operations";
import { performTextOperation, type TextAnswer } from "./perform";
import { trialBodySchema } from "./schemas";

const LEVELS: readonly Level[] = ["instance", "organization"];

export function messageTextRoutes(): Routes {
  const table: Record<string, Methods> = {};
  for (const level of LEVELS) {
    const texts = `${BASE_PATHS[level]}/text`;
    table[`${BASE_PATHS[level]}/languages`] = { GET: languagesRoute };
    table[`${texts}/messages`] = { GET: ownerRoute(level, overviewTexts) };
    table[`${texts}/messages/_export`] = { GET: ownerRoute(level, exportTexts) };
    table[`${texts}/trials/:id`] = {
      GET: ownerRoute(level, (ctx, caller, owner, http) => findTrial(ctx, caller, owner, http.req.param("id") ?? "")),
    };
    for (const type of MESSAGE_TYPES) {
      const base = `${texts}/message/${type}`;
      // Not next to `:language`: two patterns matching one address would force a slower router on the whole service.
      table[`${texts}/variables/${type}`] = { GET: variablesRoute(level, type) };
      table[`${base}/:language/_explain`] = { GET: explainRoute(level, type) };
      table[`${base}/:language/_preview`] = { POST: previewRoute(level, type) };
      table[`${base}/:language/_test_send`] = { POST: trialRoute(level, type) };
    }
  }
  table[`${BASE_PATHS.instance}/languages/allowed`] = { GET: allowedLanguagesRoute };
  table[`${BASE_PATHS.instance}/languages/default`] = { GET: defaultLanguageRoute };
  for (const operation of textOperations) {
    for (const path of operation.paths) {
      table[path] = { ...table[path], [operation.method]: operationRoute(operation) };
    }
  }
  return table;
}

/** The handler of an operation, in the media type of the Accept header. */
function operationRoute(operation: TextOperation): Handler {
  return async (ctx, http) => {
    const answer = await performTextOperation(ctx, operation, {
      authorization: http.req.header("authorization"),
      organizationId: organizationOf(http),
      ifMatch: http.req.header("if-match"),
      language: http.req.param("language") ?? "",
      body: () => jsonBody(http),
      requestId: http.get("requestId"),
    });
    const media = negotiateMedia(http.req.header("accept"));
    if (media === "application/json") return jsonAnswer(http, answer);
    const headers = { "cache-control": "no-store" };
    return grpcAnswer(http, operation, media, answer, { status: statusOf(answer), headers });
  };
}

function jsonAnswer(http: Http, answer: TextAnswer | ApiError): Response {
  const response = isApiError(answer)
    ? apiErrorAnswer(http, answer, { status: statusOf(answer) })
    : apiAnswer(http, textAnswerJson(answer));
  response.headers.append("vary", "accept");
  return response;
}

/** A failed If-Match is 412 (RFC 9110 §13.1.1), for which gRPC has no code. */
function statusOf(answer: object | ApiError): number {
  if (!isApiError(answer)) return 200;
  return answer.code === GRPC_CODES.aborted ? 412 : httpStatusOf(answer.code);
}

/** @param organizationId which the request names */
function targetOf(http: Http, level: Level, type: MessageType, organizationId: string | undefined): TextTarget {
  return { level, type, organizationId, language: http.req.param("language") ?? "" };
}

/** A handler for authenticated callers. */
function forCaller(
  work: (ctx: Context, http: Http, caller: Caller, organizationId: string | undefined) => Promise<object | ApiError>,
): Handler {
  return async (ctx, http) => {
    const caller = await callerOf(ctx, http);
    if (isApiError(caller)) return apiErrorAnswer(http, caller);
    const organizationId = organizationOf(http);
    if (isApiError(organizationId)) return apiErrorAnswer(http, organizationId);
    return apiAnswer(http, await work(ctx, http, caller, organizationId));
  };
}

type Owner = Pick<TextTarget, "level" | "organizationId">;

/** A handler for all texts of a level. */
const ownerRoute = (
  level: Level,
  work: (ctx: Context, caller: Caller, owner: Owner, http: Http) => Promise<object | ApiError>,
): Handler => forCaller((ctx, http, caller, organizationId) => work(ctx, caller, { level, organizationId }, http));

const languagesRoute = forCaller(async () => ({ languages: LANGUAGES }));

const allowedLanguagesRoute = forCaller(async (ctx) => ({ languages: await allowedAmong(ctx, LANGUAGES) }));

const defaultLanguageRoute = forCaller(async (ctx) => ({ language: (await findInstance(ctx)).defaultLanguage }));

const variablesRoute = (level: Level, type: MessageType): Handler =>
  forCaller(async (ctx, http, caller, organizationId) => {
    const owner = await authorizeOwner(ctx, caller, targetOf(http, level, type, organizationId), "read");
    if (isApiError(owner)) return owner;
    return {
      variables: variablesOf(type).map(({ name, aliases, description, sample, mayBeEmpty }) => {
        return { name, placeholder: `{{.${name}}}`, aliases, description, sample, mayBeEmpty };
      }),
    };
  });

const explainRoute = (level: Level, type: MessageType): Handler =>
  forCaller(async (ctx, http, caller, organizationId) => {
    const explanation = await explainMessageText(ctx, caller, targetOf(http, level, type, organizationId));
    return isApiError(explanation) ? explanation : { ...explanation, details: withoutDefaults(explanation.details) };
  });

async function readTrial(http: Http): Promise<z.output<typeof trialBodySchema> | ApiError> {
  const body = await jsonBody(http);
  if (isApiError(body) || body === undefined) return body ?? {};
  const parsed = trialBodySchema.safeParse(body);
  if (parsed.success) return parsed.data;
  const field = parsed.error.issues[0]?.path[0]?.toString();
  if (field === undefined) return invalidArgument("request.no_object", "The body must be a JSON object.");
  return invalidArgument("request.wrong_type", `${field} has the wrong type.`, { field });
}

const previewRoute = (level: Level, type: MessageType): Handler =>
  forCaller(async (ctx, http, caller, organizationId) => {
    const wanted = await readTrial(http);
    if (isApiError(wanted)) return wanted;
    const { fields: body, userId, sample } = wanted;
    return previewMessage(ctx, caller, { ...targetOf(http, level, type, organizationId), body, userId, sample });
  });

const trialRoute = (level: Level, type: MessageType): Handler =>
  forCaller(async (ctx, http, caller, organizationId) => {
    const wanted = await readTrial(http);
    if (isApiError(wanted)) return wanted;
    return sendTrial(ctx, caller, {
      ...targetOf(http, level, type, organizationId),
      body: wanted.fields,
      sample: wanted.sample,
      address: clientAddress(ctx, http),
      requestId: http.get("requestId"),
    });
  });
