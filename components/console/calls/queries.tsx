"use client";
// Queries of the console (TanStack Query): what is read from the APIs, cached while a part of a page is open.
import { focusManager, notifyManager, QueryClient, QueryClientProvider, queryOptions } from "@tanstack/react-query";
import { type ComponentType, type ReactNode, useState } from "react";
import { type AnswerOf, type Arguments, addressOf, type Declared, type OperationName } from "../../../shared/declared";
import { type Answer, noAnswer, type Refusal } from "../../../shared/refusal";
import { type CallOptions, callOperation } from "./call";

// Before the next click, so that a button which is pressed twice finds its request running.
notifyManager.setScheduler(queueMicrotask);

// A hidden page reads nothing, and reads again when it is shown.
focusManager.setEventListener((setFocused) => {
  if (typeof document === "undefined") return;
  const show = () => setFocused(!document.hidden);
  document.addEventListener("visibilitychange", show);
  return () => document.removeEventListener("visibilitychange", show);
});

/** The error of a query whose operation was refused. */
export class RefusedQuery extends Error {
  constructor(readonly refusal: Refusal) {
    super(refusal.message);
  }
}

/** Gives its children a cache of their own, so that a part that is opened again starts with what its page has read. */
export function QueriesProvider({ children }: { children: ReactNode }) {
  const [client] = useState(() => {
    // Nothing is sent unless the user acts: no repetition, no reading when a window gets the focus.
    const queries = { retry: false, refetchOnWindowFocus: false, refetchOnReconnect: false, refetchOnMount: false };
    const networkMode = "always";
    return new QueryClient({ defaultOptions: { queries: { ...queries, networkMode }, mutations: { networkMode } } });
  });
  return <QueryClientProvider client={client}>{children}</QueryClientProvider>;
}

/** Returns a component with a cache of its own, so that pages without it need not load the library. */
export function withQueries<Props extends object>(Part: ComponentType<Props>): ComponentType<Props> {
  return (props) => (
    <QueriesProvider>
      <Part {...props} />
    </QueriesProvider>
  );
}

/** Returns the query of an operation. Its data is the body of the response. */
export function operationQuery<Name extends OperationName>(
  operation: Declared<Name>,
  ...[request]: Arguments<Name, CallOptions>
) {
  const { at, query, body } = (request ?? {}) as { at?: object; query?: object; body?: unknown };
  return queryOptions<AnswerOf<Name>, RefusedQuery>({
    queryKey: [addressOf(operation, at, query), body],
    async queryFn({ signal }) {
      const sent = [{ ...request, signal }] as unknown as Arguments<Name, CallOptions>;
      return bodyOf(await callOperation(operation, ...sent).catch(noAnswer));
    },
  });
}

/** Returns the body of a response; throws its refusal. */
export function bodyOf<Body>(answer: Answer<Body>): Body {
  if (!answer.ok) throw new RefusedQuery(answer.refusal);
  return answer.body;
}
