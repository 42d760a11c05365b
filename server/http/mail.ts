/** The addresses of the mail page and of an organization's mail settings. Bearer only, like every management API. */
import type { Caller } from "../access/caller";
import { checkPermission } from "../access/permissions";
import type { Context } from "../context";
import {
  findShownMailSettings,
  mailSettingsSchema,
  removeMailSettings,
  setMailSettings,
} from "../directory/mail-settings";
import { type MailPlace, mailOf, mailPage, retryMail } from "../mail/mail-page";
import { testMailSettings } from "../mail/test-settings";
import { type ApiError, invalidArgument, isApiError, notFound } from "../protocol/api-error";
import type { MessageState, OutboxLogRow } from "../storage/outbox-log";
import { apiAnswer, apiErrorAnswer, callerOf, jsonBody } from "./api-errors";
import type { Http } from "./env";
import { clientAddress } from "./request";
import type { Handler, Methods, Routes } from "./routes";

type Level = MailPlace["level"];

/** A handler for authenticated callers at one level. */
function at(level: Level, work: (ctx: Context, http: Http, place: MailPlace) => Promise<object | ApiError>): Handler {
  return async (ctx, http) => {
    const caller: Caller | ApiError = await callerOf(ctx, http);
    if (isApiError(caller)) return apiErrorAnswer(http, caller);
    const organizationId = level === "organization" ? http.req.header("x-service-orgid") : undefined;
    return apiAnswer(http, await work(ctx, http, { caller, level, organizationId }));
  };
}

const idOf = (http: Http): string => http.req.param("id") ?? "";

function messageMethods(level: Level): Record<"list" | "one" | "retry", Methods> {
  return {
    list: {
      GET: at(level, async (ctx, http, place) => {
        const limit = http.req.query("limit");
        const wanted = {
          limit: limit === undefined ? undefined : Number(limit),
          pageToken: http.req.query("pageToken"),
        };
        const page = await mailPage(ctx, place, wanted);
        return isApiError(page) ? page : { ...page, messages: page.messages.map(asJson) };
      }),
    },
    one: {
      GET: at(level, async (ctx, http, place) => {
        const found = await mailOf(ctx, place, idOf(http));
        if (isApiError(found)) return found;
        const { letter } = found;
        return { message: { ...asJson(found), ...(letter && { letter: { ...letter, date: time(letter.date) } }) } };
      }),
    },
    retry: { POST: at(level, (ctx, http, place) => retryMail(ctx, place, idOf(http))) },
  };
}

function asJson(row: OutboxLogRow): { state: MessageState } & Record<string, unknown> {
  const { id, type, organizationId, userId, recipient, state, attempts, lastAnswer, subject } = row;
  const shown = { id, type, organizationId, userId, recipient, state, attempts, lastAnswer, subject };
  const { createdAt, nextAttemptAt, expiresAt, settledAt } = row;
  return {
    ...shown,
    creationDate: time(createdAt),
    ...(state === "queued" && { nextAttempt: time(nextAttemptAt) }),
    ...(expiresAt !== null && { expirationDate: time(expiresAt) }),
    ...(settledAt !== null && { settledDate: time(settledAt) }),
  };
}

const time = (at: number): string => new Date(at).toISOString();

/** The settings of the organization in question, where the caller may. */
function settingsHandler(
  permission: "policy.read" | "policy.write" | "policy.delete",
  work: (ctx: Context, http: Http, place: MailPlace & { organizationId: string }) => Promise<object | ApiError>,
): Handler {
  return at("organization", async (ctx, http, place) => {
    const organizationId = place.organizationId ?? place.caller.organizationId;
    const refusal = await checkPermission(ctx, place.caller, permission, { organizationId });
    return refusal ?? work(ctx, http, { ...place, organizationId });
  });
}

const noSettings = () => notFound("mail_settings.not_found", "The organization sends as the service does.");
const originOf = (http: Http, { caller }: MailPlace) => ({ actor: caller.userId, requestId: http.get("requestId") });

const settings: Methods = {
  GET: settingsHandler("policy.read", async (ctx, _, { organizationId }) => {
    const shown = await findShownMailSettings(ctx, organizationId);
    return shown ? { mailSettings: shown } : noSettings();
  }),
  PUT: settingsHandler("policy.write", async (ctx, http, place) => {
    const body = await jsonBody(http);
    if (isApiError(body)) return body;
    const parsed = mailSettingsSchema.safeParse(body);
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      const field = issue?.path.join(".") || undefined;
      return invalidArgument("mail_settings.invalid", issue?.message ?? "is not valid", { field });
    }
    return { details: await setMailSettings(ctx, place.organizationId, parsed.data, originOf(http, place)) };
  }),
  DELETE: settingsHandler("policy.delete", async (ctx, http, place) => {
    if (!(await findShownMailSettings(ctx, place.organizationId))) return noSettings();
    return { details: await removeMailSettings(ctx, place.organizationId, originOf(http, place)) };
  }),
};

/** Sends a trial mail by settings that are saved, or given in the body. */
function settingsTest(level: Level): Methods {
  return {
    POST: at(level, async (ctx, http, { caller, organizationId }) => {
      const body = await jsonBody(http);
      if (isApiError(body)) return body;
      const address = clientAddress(ctx, http);
      return testMailSettings(ctx, caller, { level, organizationId, body, address, requestId: http.get("requestId") });
    }),
  };
}

const all = messageMethods("instance");
const ours = messageMethods("organization");

export const mailRoutes: Routes = {
  "/admin/v1/messages": all.list,
  "/admin/v1/messages/:id": all.one,
  "/admin/v1/messages/:id/_retry": all.retry,
  "/management/v1/messages": ours.list,
  "/management/v1/messages/:id": ours.one,
  "/management/v1/messages/:id/_retry": ours.retry,
  "/management/v1/mail_settings": settings,
  "/management/v1/mail_settings/_test": settingsTest("organization"),
  "/admin/v1/mail_settings/_test": settingsTest("instance"),
};
