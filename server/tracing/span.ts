/**
 * OpenTelemetry spans of the operations that a request waits for. Until `traceBy` is called, nothing is created or
 * measured: work runs as if it were called directly. Names and attributes follow OpenTelemetry's semantic conventions
 * and contain no secrets: URLs without their query, statements without their values.
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

/** Sets the tracer; undefined ends tracing. */
export function traceBy(given: Tracer | undefined): void {
  tracer = given;
}

export const isTracing = (): boolean => tracer !== undefined;

/** The description of a span. Where it is a function, it is called only if there is a span. */
export interface Described {
  attributes?: Attributes;
  /** Whether it leaves the process, for example to a database, a mail server or a webhook. */
  isCall?: boolean;
}

const NO_SPAN: Pick<Span, "addEvent" | "setAttribute"> = {
  addEvent: () => undefined as never,
  setAttribute: () => undefined as never,
};

/** The span of the current work. Adding to it has no effect while tracing is off. */
export type NotedSpan = typeof NO_SPAN;

/** Runs the work in a span of its own, as a child of the active one. */
export function span<T>(name: string, work: (noted: NotedSpan) => Promise<T>, describe?: () => Described): Promise<T> {
  if (tracer === undefined) return work(NO_SPAN);
  const { attributes = {}, isCall = false } = describe?.() ?? {};
  const options = { kind: isCall ? SpanKind.CLIENT : SpanKind.INTERNAL, attributes };
  return tracer.startActiveSpan(name, options, (open) => ended(open, () => work(open)));
}

/**
 * Like `span`, but only if there is an active span. Background work that runs every second is not worth a trace of its
 * own.
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
    // The name only: a message may repeat user input.
    const type = error instanceof Error ? error.name : typeof error;
    open.setAttribute("error.type", type).setStatus({ code: SpanStatusCode.ERROR });
    throw error;
  } finally {
    open.end();
  }
}

/** An incoming request. */
export interface Arriving {
  method: string;
  /** The path without the query, which may contain codes. */
  path: string;
  /** The header of W3C Trace Context. */
  traceparent?: string | undefined;
  tracestate?: string | undefined;
  /**
   * Whether the sender may choose the trace that the request belongs to, and with it whether it is recorded. The trace
   * context of other senders becomes a link, so that they cannot write into someone else's trace.
   */
  isBelieved: boolean;
}

/** The span of a request. `end` must be called once. */
export interface RequestSpan {
  /** Runs the work inside the span: spans that it starts become children. */
  run<T>(work: () => T): T;
  end(status: number, route: string | undefined, requestId?: string): void;
}

const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "CONNECT", "TRACE"]);

/** Begins the span of a request; returns undefined while tracing is off. */
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
      // Semantic conventions: in server spans only 5xx are errors.
      if (status >= 500) open.setAttribute("error.type", String(status)).setStatus({ code: SpanStatusCode.ERROR });
      open.end();
    },
  };
}

type TraceHeaders = Pick<Arriving, "traceparent" | "tracestate">;

/** Returns the parent, links and kind of a request's span. */
function origin(headers: TraceHeaders, isBelieved: boolean): { parent: Context; links: Link[]; kind: SpanKind } {
  // A page of the console calls the application within the process.
  if (trace.getActiveSpan()) return { parent: context.active(), links: [], kind: SpanKind.INTERNAL };
  const remote = headers.traceparent === undefined ? ROOT_CONTEXT : propagation.extract(ROOT_CONTEXT, headers);
  const sender = trace.getSpanContext(remote);
  if (isBelieved) return { parent: remote, links: [], kind: SpanKind.SERVER };
  return { parent: ROOT_CONTEXT, links: sender ? [{ context: sender }] : [], kind: SpanKind.SERVER };
}

/** Returns the ids of the active span for a log line; empty if no span is active. */
export function traceIds(): { trace_id?: string; span_id?: string } {
  const current = trace.getActiveSpan()?.spanContext();
  return current ? { trace_id: current.traceId, span_id: current.spanId } : {};
}
