// The console's calls for the editor: a failed connection is a refusal like any other.
import { type CallOptions, callConsole } from "../call";
import type { Answer } from "../refusal";

const UNREACHABLE = { id: "", message: "", problems: [{ id: "", message: "" }] };

/** Undefined if the request was cancelled. */
export async function ask<T>(method: string, path: string, options?: CallOptions): Promise<Answer<T> | undefined> {
  try {
    return await callConsole<T>(method, path, options);
  } catch {
    if (options?.signal?.aborted) return undefined;
    return { ok: false, status: 0, refusal: UNREACHABLE };
  }
}
