/** A table of addresses: what answers each method. Every area of the service has one. */
import type { Context } from "../context";
import type { Http } from "./env";

export type Handler = (ctx: Context, http: Http) => Response | Promise<Response>;
export type Methods = Partial<Record<"GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS", Handler>>;
/** Addresses may hold parameters, `/text/:language`. */
export type Routes = Readonly<Record<string, Methods>>;
