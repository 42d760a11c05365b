"use client";
// Performs an operation for a page, one request at a time, and keeps its result.
import { useEffect, useState } from "react";
import {
  type AnswerOf,
  type Arguments,
  type BodyOf,
  type Declared,
  fillAddress,
  type MemberOf,
  type OperationName,
  type ParametersOf,
  type PartsOf,
  requestWith,
} from "../../../shared/declared";
import { noAnswer, type Refusal } from "../../../shared/refusal";
import { type CallOptions, callOperation } from "./call";
import { useGoTo, useRefresh } from "./refresh";
import { useToast } from "./toasts";

export interface Performed<Name extends OperationName> {
  operation: Declared<Name>;
  /** The organization; defaults to that of the page's address. */
  organizationId?: string;
  ifMatch?: string;
  /** The message after success, or how to make it from the response. */
  done?: string | ((answer: AnswerOf<Name>) => string);
  /**
   * The page to go to after success, with `{name}` filled in from the request and the response; by default, the page is
   * read again.
   */
  then?: string;
}

type At<Name extends OperationName> = MemberOf<"at", PartsOf<ParametersOf<Name>>>;

/** An operation without typed input. */
export type ButtonOperation<Name extends OperationName> = Performed<Name> & At<Name> & MemberOf<"body", BodyOf<Name>>;

/**
 * An operation with typed input.
 * @property body members sent in addition to the typed ones
 */
export type FormOperation<Name extends OperationName> = Performed<Name> & At<Name> & { body?: Partial<BodyOf<Name>> };

type Values = Record<string, unknown>;

export interface OperationState<Name extends OperationName> {
  isBusy: boolean;
  refusal: Refusal | undefined;
  /**
   * Sends the request.
   * @returns the sent and received members; undefined if the request was refused
   */
  start(typed?: Values): Promise<(Values & AnswerOf<Name>) | undefined>;
  /**
   * Goes to the page that `then` names.
   * @param answered the result of `start`
   */
  goOn(answered: Values): void;
  forget(): void;
  /** Shows an error that the page itself has found. */
  refuse(refusal: Refusal): void;
}

export function useOperation<Name extends OperationName>(
  props: FormOperation<Name> | ButtonOperation<Name>,
): OperationState<Name> {
  const { operation, at = {}, body, organizationId, ifMatch, done, then } = props;
  const say = useToast();
  const refresh = useRefresh();
  const goTo = useGoTo();
  const [isBusy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<Refusal>();
  useEffect(() => {
    // The page was restored from the back/forward cache.
    const comeBack = ({ persisted }: PageTransitionEvent) => persisted && setBusy(false);
    addEventListener("pageshow", comeBack);
    return () => removeEventListener("pageshow", comeBack);
  }, []);
  return {
    isBusy,
    refusal,
    async start(typed = {}) {
      if (isBusy) return undefined;
      setBusy(true);
      const given: Values = { ...body, ...typed };
      const wanted = requestWith(at, given);
      const isEmpty = operation.method === "DELETE" && Object.keys(wanted.body).length === 0;
      const request = { at: wanted.at, body: isEmpty ? undefined : wanted.body, organizationId, ifMatch };
      // The server validates the input.
      const answer = await callOperation(operation, ...([request] as unknown as Arguments<Name, CallOptions>)).catch(
        noAnswer,
      );
      // Stays busy until the next page is loaded, so that the action is not repeated on this one.
      if (!answer.ok || then === undefined) setBusy(false);
      setRefusal(answer.ok ? undefined : answer.refusal);
      if (!answer.ok) return undefined;
      if (done !== undefined) say(typeof done === "string" ? done : done(answer.body as AnswerOf<Name>));
      return { ...given, ...answer.body };
    },
    goOn(answered) {
      if (then === undefined) refresh();
      else goTo(fillAddress(then, answered));
    },
    forget: () => setRefusal(undefined),
    refuse: setRefusal,
  };
}
