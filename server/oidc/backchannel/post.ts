/** The request to an app's back-channel logout URI (OpenID Connect Back-Channel Logout 1.0 §2.5). */
import type { NameResolver } from "../../net/name-resolver";
import { post } from "../../net/post";
import { type CallRules, checkBackChannelUri, isLoopbackUri } from "../../protocol/public-address";
import { sentenceOf } from "../../protocol/reason";

export interface FormOptions extends CallRules {
  /** Returns all addresses of a host name. */
  resolve?: NameResolver["addresses"];
  /** Milliseconds. */
  timeout?: number;
}

/** The status of the response, or why there was no response. */
export type FormOutcome = { status: number } | { error: string };

/** Posts a form. Never rejects. Only the status of the response matters, even if the body never ends. */
export async function postForm(address: string, form: URLSearchParams, options: FormOptions): Promise<FormOutcome> {
  const refused = checkBackChannelUri(address, options);
  if (refused !== undefined) return { error: `the address ${sentenceOf(refused)}` };
  const { resolve, timeout } = options;
  const isPermitted = isLoopbackUri(address) ? () => true : undefined;
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  const outcome = await post(new URL(address), { body: form.toString(), headers }, { resolve, timeout, isPermitted });
  return "error" in outcome ? outcome : { status: outcome.status };
}
