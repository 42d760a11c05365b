/**
 * Spans of what a request waits for, by OpenTelemetry. Until `traceBy` was called nothing is created and nothing is
 * measured: work runs as if it were called directly. Names and attributes are those of OpenTelemetry's semantic
 * conventions, and none of them is a secret: addresses without their query, statements without their values.
 */
import {
  type Attributes,
  type Context,
  context,
  type Link,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from "@opentelemetry/api";

let tracer: Tracer | undefined;

/** Begins to trace; undefined ends it. */
export function traceBy(given: Tracer | undefined): void {
  tracer = given;
}

export const isTracing = (): boolean => tracer !== undefined;

/** What a span says beside its name; a function of it is called only if there is a span. */
export interface Described {
  attributes?: Attributes;
  /** Whether it leaves the process: a database, a mail server, a webhook. */
  isCall?: boolean;
}

const NO_SPAN: Pick<Span, "addEvent" | "setAttribute"> = {
  addEvent: () => undefined as never,
  setAttribute: () => undefined as never,
};

/** The span of the work, to add to; of no effect while nothing is traced. */
export type NotedSpan = typeof NO_SPAN;

/** Runs the work as a span of its own, a part of the one it is called in. */
export function span<T>(name: string, work: (noted: NotedSpan) => Promise<T>, describe?: () => Described): Promise<T> {
  if (tracer === undefined) return work(NO_SPAN);
  const { attributes = {}, isCall = false } = describe?.() ?? {};
  const options = { kind: isCall ? SpanKind.CLIENT : SpanKind.INTERNAL, attributes };
  return tracer.startActiveSpan(name, options, (open) => ended(open, () => work(open)));
}

/**
 * As `span`, where it is a part of something: what happens by itself every second is not worth a trace of its own.
 */
export function partSpan<T>(
  name: string,
  work: (noted: NotedSpan) => Promise<T>,
  describe?: () => Described,
): Promise<T> {
  const isPart = tracer !== undefined && trace.getActiveSpan() !== undefined;
  return isPart ? span(name, work, describe) : work(NO_SPAN);
}

async function ended<T>(open: Span, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    // The name only: a message may repeat what was sent.
    const type = error instanceof Error ? error.name : typeof error;
    open.setAttribute("error.type", type).setStatus({ code: SpanStatusCode.ERROR });
    throw error;
  } finally {
    open.end();
  }
}

/** A request that arrives. */
export interface Arriving {
  method: string;
  /** Without the query, which may contain codes. */
  path: string;
  /** Of W3C Trace Context. */
  traceparent?: string | undefined;
  tracestate?: string | undefined;
  /**
   * Whether the sender may say which trace the request belongs to, and with it whether that is recorded. Of others it
   * becomes a link, so that nobody writes into somebody else's trace.
   */
  isBelieved: boolean;
}

/** The span of a request; to be ended once. */
export interface RequestSpan {
  /** What it starts becomes part of the span. */
  run<T>(work: () => T): T;
  end(status: number, route: string | undefined, requestId?: string): void;
}

const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "CONNECT", "TRACE"]);

/** Begins the span of a request; undefined while nothing is traced. */
export function openRequestSpan({
  method,
  path,
  traceparent,
  tracestate,
  isBelieved,
}: Arriving): RequestSpan | undefined {
  if (tracer === undefined) return undefined;
  const known = METHODS.has(method) ? method : "_OTHER";
  const verb = known === "_OTHER" ? "HTTP" : known;
  const attributes = { "http.request.method": known, "url.path": path };
  const { parent, links, kind } = origin({ traceparent, tracestate }, isBelieved);
  const open = tracer.startSpan(verb, { kind, attributes, links }, parent);
  const within = trace.setSpan(parent, open);
  return {
    run: (work) => context.with(within, work),
    end(status, route, requestId) {
      open.setAttribute("http.response.status_code", status);
      if (requestId !== undefined) open.setAttribute("identity.request_id", requestId);
      if (route !== undefined) open.setAttribute("http.route", route).updateName(`${verb} ${route}`);
      // Semantic conventions: of a server's spans only 5xx are errors.
      if (status >= 500) open.setAttribute("error.type", String(status)).setStatus({ code: SpanStatusCode.ERROR });
      open.end();
    },
  };
}

type TraceHeaders = Pick<Arriving, "traceparent" | "tracestate">;

/** What the span of a request belongs to. */
function origin(headers: TraceHeaders, isBelieved: boolean): { parent: Context; links: Link[]; kind: SpanKind } {
  // A page of the console asks the application within the process.
  if (trace.getActiveSpan()) return { parent: context.active(), links: [], kind: SpanKind.INTERNAL };
  const remote = headers.traceparent === undefined ? ROOT_CONTEXT : propagation.extract(ROOT_CONTEXT, headers);
  const sender = trace.getSpanContext(remote);
  if (isBelieved) return { parent: remote, links: [], kind: SpanKind.SERVER };
  return { parent: ROOT_CONTEXT, links: sender ? [{ context: sender }] : [], kind: SpanKind.SERVER };
}

/** The ids of the span that is running, for a log line; empty outside of one. */
export function traceIds(): { trace_id?: string; span_id?: string } {
  const current = trace.getActiveSpan()?.spanContext();
  return current ? { trace_id: current.traceId, span_id: current.spanId } : {};
}
