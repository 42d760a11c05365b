/** The request as Hono carries it through the application. */
import type { HttpBindings } from "@hono/node-server";
import type { Context as HonoContext } from "hono";

export interface Env {
  /** Filled by the direct lane; the Next lane has no `outgoing`, and nothing of a request that came before the service. */
  Bindings: Partial<HttpBindings>;
  Variables: {
    requestId: string;
    /** BCP 47, where the language of errors does not follow from `Accept-Language`: in the console it is the page's. */
    language?: string;
  };
}

export type Http = HonoContext<Env>;
