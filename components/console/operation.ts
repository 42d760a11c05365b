"use client";
// Performs an operation for a page: once at a time, with its result.
import { useState } from "react";
import { callConsole } from "./call";
import { fillAddress } from "./form-body";
import { useRefresh } from "./refresh";
import type { Answer, Refusal } from "./refusal";
import { useToast } from "./toasts";

export interface OperationProps {
  method: "POST" | "PUT" | "PATCH" | "DELETE";
  /** The address of the operation, for instance `/admin/v1/…`; `{name}` is filled in from what is sent. */
  path: string;
  /** Sent in addition to what is typed. */
  body?: Readonly<Record<string, unknown>>;
  /** The organization; by default that of the page's address. */
  organizationId?: string;
  ifMatch?: string;
  /** The message when it is done. */
  done?: string;
  /**
   * The page to go to then, with `{name}` filled in from what was sent and answered; by default the page is reloaded.
   */
  then?: string;
}

type Values = Record<string, unknown>;

export interface Operation {
  isBusy: boolean;
  refusal: Refusal | undefined;
  /** @returns the answer; undefined if it was refused */
  start(typed?: Values): Promise<Values | undefined>;
  /** Goes to the page that `then` names. @param answered the result of `start` */
  goOn(answered: Values): void;
  forget(): void;
}

const UNREACHABLE: Refusal = { id: "", message: "", problems: [{ id: "", message: "" }] };

export function useOperation({ method, path, body, organizationId, ifMatch, done, then }: OperationProps): Operation {
  const say = useToast();
  const refresh = useRefresh();
  const [isBusy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<Refusal>();
  return {
    isBusy,
    refusal,
    async start(typed = {}) {
      if (isBusy) return undefined;
      setBusy(true);
      const given = { ...body, ...typed };
      const { address, rest } = fillAddress(path, given);
      const sent = method === "DELETE" && Object.keys(rest).length === 0 ? undefined : rest;
      const answer = await callConsole<Values | undefined>(method, address, {
        body: sent,
        organizationId,
        ifMatch,
      }).catch((): Answer<undefined> => ({ ok: false, status: 0, refusal: UNREACHABLE }));
      setBusy(false);
      setRefusal(answer.ok ? undefined : answer.refusal);
      if (!answer.ok) return undefined;
      if (done !== undefined) say(done);
      return { ...given, ...answer.body };
    },
    goOn(answered) {
      if (then === undefined) refresh();
      else location.assign(fillAddress(then, answered).address);
    },
    forget: () => setRefusal(undefined),
  };
}
