/**
 * Gives code bundled by Next access to the running service. Next's bundle and ours have separate instances of every
 * module, so the service is published in globalThis, and nothing under app/ can pull storage into a bundle.
 */

import type { Admission } from "../console/gate";
import type { ViewedPage, Viewer } from "../console/viewer";

export type * from "../console/viewer";

export interface Service {
  /** Answers any request of the OAuth endpoints, the APIs and the pages before sign-in. */
  fetch(request: Request): Promise<Response>;
  /**
   * Returns what the console pages need for the user of these cookies; undefined if no user is signed in.
   * @param page the organizations and the language of the page
   */
  viewer(cookies: string | null, page: ViewedPage): Promise<Viewer | undefined>;
  /** Called before a console page; undefined if our own listener has already done so. */
  admit?(request: Request): Promise<Admission>;
}

const key = Symbol.for("identity-service");

/** Called once by the process that runs the service, before the first request. */
export function publishService(service: Service): void {
  Reflect.set(globalThis, key, service);
}

/** Whether this process runs the service already. */
export const isPublished = (): boolean => Reflect.has(globalThis, key);

/** Returns the running service. Throws if none was published: instrumentation.ts runs it if no other code has. */
export function runningService(): Service {
  const service: Service | undefined = Reflect.get(globalThis, key);
  if (!service) throw new Error("No running service: neither our own listener nor Next's instrumentation began it.");
  return service;
}
