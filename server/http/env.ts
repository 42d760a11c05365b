/** The type of Hono's environment for a request. */
import type { HttpBindings } from "@hono/node-server";
import type { Context as HonoContext } from "hono";

export interface Env {
  /** Set by our own server; under Next there is no `outgoing`, and neither exists for requests before the start. */
  Bindings: Partial<HttpBindings> & {
    /** Set where the console calls an operation for its user. */
    isFromConsole?: true;
  };
  Variables: {
    requestId: string;
    /**
     * BCP 47; set if the language of errors does not follow from `Accept-Language`: in the console it is the page's.
     */
    language?: string;
  };
}

export type Http = HonoContext<Env>;
