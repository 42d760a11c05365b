// How scripts of the console's pages reach the APIs: the cookie says who, the page's token says that it was this page.
// A token that has run out is renewed once without the person noticing; whoever was signed out is sent to sign in.

export interface ConsoleAnswer {
  ok: boolean;
  status: number;
  /** What the operation answered, or its error body; undefined where it said nothing. */
  body: unknown;
}

/** @param path of the operation, as in `/admin/v1/…` */
export async function callConsole(method: string, path: string, body?: unknown): Promise<ConsoleAnswer> {
  const first = await send(method, path, body);
  if (first.status !== 401) return read(first);
  const renewed = await fetch("/console/sign-in?for=script");
  if (renewed.ok) return read(await send(method, path, body));
  const here = location.pathname + location.search;
  location.assign(`/console/sign-in?to=${encodeURIComponent(here)}`);
  return read(first);
}

function send(method: string, path: string, body: unknown): Promise<Response> {
  const token = document.querySelector<HTMLMetaElement>("meta[name=csrf-token]")?.content ?? "";
  return fetch(`/console/api${path}`, {
    method,
    headers: { "x-csrf-token": token, ...(body === undefined ? {} : { "content-type": "application/json" }) },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
}

async function read(response: Response): Promise<ConsoleAnswer> {
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.startsWith("application/json") ?? false;
  return { ok: response.ok, status: response.status, body: isJson && text !== "" ? JSON.parse(text) : undefined };
}
