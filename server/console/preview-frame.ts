/**
 * Previews for a frame of the console: the mail of a text being edited, or a page in the colours being chosen. A frame
 * that the page itself fills would inherit the page's CSP, which rejects the styles of mails; so a form is posted into
 * the frame, and the response is a document with its own policy and origin (email-style.ts). Its content comes from
 * `_preview` or `_render`.
 */
import { z } from "zod";
import type { Context } from "../context";
import { apiErrorAnswer } from "../http/api-errors";
import { acceptedEncoding, packedForms } from "../http/content-encoding";
import type { Http } from "../http/env";
import { inScheme } from "../mail/email-style";
import { invalidArgument } from "../protocol/api-error";
import { emailResponse } from "./email";
import { type Dispatch, forward } from "./forward";
import { consoleSessionOf } from "./own-page";
import { wordPickerAnswer } from "./word-picker";

const formSchema = z.object({
  /** The path of the operation. */
  path: z
    .string()
    .regex(
      /^\/(admin|management)\/v1\/(text\/(message\/[a-z_]{1,40}|login)\/[a-z]{1,8}\/_preview|policies\/label\/_render)$/,
    ),
  organizationId: z.string().optional(),
  /** The JSON body for the operation. */
  body: z.string(),
  scheme: z.enum(["light", "dark"]),
});

export async function previewFrame(ctx: Context, http: Http, dispatch: Dispatch): Promise<Response> {
  const given = await http.req.parseBody();
  const session = await consoleSessionOf(ctx, http, String(given.csrf));
  if (session instanceof Response) return session;
  const form = formSchema.safeParse(given);
  if (!form.success)
    return apiErrorAnswer(
      http,
      invalidArgument("request.malformed", "This form was not sent by the console. Load the page again."),
    );
  const { path, organizationId, body, scheme } = form.data;
  const headers = new Headers({ "content-type": "application/json", "x-request-id": http.get("requestId") });
  if (organizationId !== undefined) headers.set("x-service-orgid", organizationId);
  const url = new URL(http.req.url).origin + path;
  const answer = await forward(dispatch, session, { method: "POST", url, headers, body }, http.env);
  if (!answer.ok) return answer;
  const { html } = (await answer.json()) as { html: string };
  const shown = inScheme(html, scheme);
  return packed(
    http,
    /\/text\/login\//.test(path) ? wordPickerAnswer(http, shown) : emailResponse(http, { html: shown }),
  );
}

/** Compresses the document. Only the console can request it, by its CSRF token (attack: BREACH). */
async function packed({ req }: Http, page: Response): Promise<Response> {
  const encoding = acceptedEncoding(req.header("accept-encoding"));
  if (encoding === undefined) return page;
  const headers = new Headers(page.headers);
  headers.set("content-encoding", encoding);
  headers.append("vary", "accept-encoding");
  return new Response(await packedForms(new Uint8Array(await page.arrayBuffer()))(encoding), { headers });
}
