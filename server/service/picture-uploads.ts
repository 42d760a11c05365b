/**
 * Accepts pictures as a form with a file (RFC 7578), as browsers and older programs send them, at the usual addresses
 * of such services. Each is passed to the operation that accepts the same picture as JSON, with its permission and
 * limits.
 */

import type { Operation } from "../api/operation/operation";
import { organizationInHeader } from "../api/operation/organization-header";
import { performOperation } from "../api/operation/perform";
import { pictureOperations } from "../api/policies/pictures";
import { apiAnswer, apiErrorAnswer, callersLanguage, presentedCredentials } from "../http/api-errors";
import type { Http } from "../http/env";
import { clientAddress } from "../http/request";
import type { Handler, Routes } from "../http/routes";
import { type ApiError, invalidArgument, isApiError } from "../protocol/api-error";
import { notFoundAnswer } from "./answers/errors";

/** The operations by level, picture and variant, as in `org logo dark`. */
const uploads: ReadonlyMap<string, Operation> = new Map(
  pictureOperations
    .filter(({ method }) => method === "PUT")
    .map((operation) => {
      const level = operation.path.startsWith("/admin/") ? "instance" : "org";
      return [`${level} ${operation.path.replace(/^.*\//, "").replace("_", " ")}`, operation];
    }),
);

/** @param variant empty, or `dark` */
function upload(variant: string): Handler {
  return async (ctx, http) => {
    const { level, picture } = http.req.param();
    const operation = uploads.get([level, picture, variant].filter(Boolean).join(" "));
    if (!operation) return notFoundAnswer(ctx, http);
    const answer = await performOperation(ctx, operation, {
      credentials: presentedCredentials(ctx, http),
      organizationId: organizationInHeader(http),
      parameters: {},
      query: {},
      body: () => fileOf(http),
      requestId: http.get("requestId"),
      language: callersLanguage(http),
      address: clientAddress(ctx, http),
      signal: http.req.raw.signal,
    });
    return isApiError(answer) ? apiErrorAnswer(http, answer) : apiAnswer(http, answer);
  };
}

async function fileOf(http: Http): Promise<{ content: string } | ApiError> {
  const form: Record<string, unknown> = await http.req.parseBody().catch(() => ({}));
  const { file } = form;
  if (file instanceof File) return { content: Buffer.from(await file.arrayBuffer()).toString("base64") };
  const reason = "Send the picture as the file of a form (multipart/form-data).";
  return invalidArgument("request.no_file", reason, { field: "file" });
}

/**
 * All are patterns: fixed names next to the address of a picture, `/assets/v1/:digest`, would slow down every route.
 */
export const pictureUploadRoutes: Routes = {
  "/assets/v1/:level/policy/label/:picture": { POST: upload("") },
  "/assets/v1/:level/policy/label/:picture/dark": { POST: upload("dark") },
};
