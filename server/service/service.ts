/**
 * How code bundled by Next finds the running service. Next's bundle and ours have separate instances of every module,
 * so the service is published in globalThis, and nothing under app/ can pull storage into a bundle.
 */

import type { Admission } from "../console/gate";
import type { ViewedPage, Viewer } from "../console/viewer";

export type * from "../console/viewer";

export interface Service {
  /** Answers any request of the OAuth endpoints, the APIs and the pages before sign-in. */
  fetch(request: Request): Promise<Response>;
  /**
   * What the console's pages need for the person of these cookies; undefined if nobody is signed in.
   * @param page the organizations and the language of the page
   */
  viewer(cookies: string | null, page: ViewedPage): Promise<Viewer | undefined>;
  /** Asked before a page of the console; undefined where our own listener has asked already. */
  admit?(request: Request): Promise<Admission>;
}

const key = Symbol.for("identity-service");

/** Called once by the process that runs the service, before the first request. */
export function publishService(service: Service): void {
  Reflect.set(globalThis, key, service);
}

/** Whether this process runs the service already. */
export const isPublished = (): boolean => Reflect.has(globalThis, key);

/** Throws if nothing was published: instrumentation.ts runs the service wherever nobody else has. */
export function runningService(): Service {
  const service: Service | undefined = Reflect.get(globalThis, key);
  if (!service) throw new Error("No running service: neither our own listener nor Next's instrumentation began it.");
  return service;
}
