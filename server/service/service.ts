/**
 * How code bundled by Next finds the running service. Next's bundle and ours have separate instances of every module,
 * so the service is published in globalThis, and nothing under app/ can pull storage into a bundle.
 */
import type { Desk } from "../console/desk";

export type * from "../console/desk";

export interface Service {
  /** Answers any request of the OAuth endpoints, the APIs and the pages before sign-in. */
  fetch(request: Request): Promise<Response>;
  /**
   * What the console's pages need for the person of these cookies; undefined if nobody is signed in.
   * @param organizationId from the page's address
   * @param locale of the page
   */
  desk(cookies: string | null, organizationId: string | undefined, locale: string): Promise<Desk | undefined>;
}

const key = Symbol.for("identity-service");

/** Called once by server/main.ts, before the first request. */
export function publishService(service: Service): void {
  Reflect.set(globalThis, key, service);
}

/** Throws if nothing was published: the handlers of app/ work only inside the process of server/main.ts. */
export function runningService(): Service {
  const service: Service | undefined = Reflect.get(globalThis, key);
  if (!service)
    throw new Error("No running service: start it with npm start or npm run dev, not with Next's commands.");
  return service;
}

/** The handler of every address under app/ that the application answers, for all methods. */
export function answer(request: Request): Promise<Response> {
  return runningService().fetch(request);
}
