/**
 * Answers that name mistakes without refusing anything: what the address editor says while somebody types, and what the
 * import says of each row. Like refusals they go to the console's own pages in the language of the page (http/refusal-texts.ts).
 */
import { reasonText, refusalText } from "../http/refusal-texts";

interface Report {
  /** Why an address cannot be registered, as in `must use https`. */
  reason?: string;
  results?: readonly { error?: { id: string; message: string; field?: string } }[];
}

const REPORTS: ReadonlySet<string> = new Set([
  "/management/v1/apps/_check_redirect_uri",
  "/management/v1/users/_bulk_import",
]);

/** The same answer; the mistakes it names in the language of the page. @param path of the operation */
export async function localizedReport(answer: Response, path: string, language: string): Promise<Response> {
  if (!answer.ok || !REPORTS.has(path)) return answer;
  const { reason, results, ...body } = (await answer.json()) as Report;
  const said = {
    ...body,
    ...(reason !== undefined && { reason: reasonText(language, reason) ?? reason }),
    ...(results && {
      results: results.map(({ error, ...row }) =>
        error ? { ...row, error: { ...error, message: refusalText(language, error) ?? error.message } } : row,
      ),
    }),
  };
  const headers = new Headers(answer.headers);
  headers.delete("content-length");
  return new Response(JSON.stringify(said), { status: answer.status, headers });
}
