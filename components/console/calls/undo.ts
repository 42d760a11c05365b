"use client";
// Undoes the last saved change: the previous values are written again by a normal request. If another user has changed
// them meanwhile, nothing is written, because that change would be lost.
import { useTranslations } from "next-intl";
import { useRef, useState } from "react";
import type { Declared, OperationName } from "../../../shared/declared";
import type { Answer } from "../../../shared/refusal";
import { callOperation } from "./call";
import { useRefresh } from "./refresh";
import { useRefusalText } from "./refusal-text";
import { useToast } from "./toasts";
import { useTurn } from "./use-turn";

/** How to undo one change. */
export interface UndoStep {
  /** Returns the saved state, for comparison; undefined if it cannot be read. */
  read(): Promise<string | undefined>;
  /** Writes the previous values. */
  revert(): Promise<Answer<unknown>>;
  /** Called after the undo, in addition to refreshing the page. */
  done?(): void;
}

export interface Undo {
  isOffered: boolean;
  /** Why the change was not undone. */
  problem: string | undefined;
  /** Offers to undo a change; called after saving. */
  offer(step: UndoStep): Promise<void>;
  /**
   * Undoes the change.
   * @returns whether it was undone
   */
  take(): Promise<boolean>;
  forget(): void;
}

export function useUndo(): Undo {
  const t = useTranslations();
  const textOf = useRefusalText();
  const say = useToast();
  const refresh = useRefresh();
  const isBusy = useRef(false);
  const [step, setStep] = useState<UndoStep & { left: string }>();
  const [problem, setProblem] = useState<string>();
  const begin = useTurn();
  const end = (why: string | undefined) => {
    setStep(undefined);
    setProblem(why);
    return begin();
  };
  const attempt = async ({ left, read, revert, done }: UndoStep & { left: string }) => {
    const now = await read().catch(() => undefined);
    if (now === undefined) return setProblem(t("frame.failed"));
    if (now !== left) {
      end(t("frame.changedMeanwhile"));
      return;
    }
    const answer = await revert().catch(() => undefined);
    if (!answer) return setProblem(t("frame.failed"));
    if (!answer.ok) return setProblem(textOf(answer.refusal));
    end(undefined);
    done?.();
    say(t("settings.undone"));
    return true;
  };
  return {
    isOffered: step !== undefined,
    problem,
    async offer(step) {
      const isLast = end(undefined);
      const left = await step.read().catch(() => undefined);
      if (left !== undefined && isLast()) setStep({ ...step, left });
    },
    async take() {
      if (!step || isBusy.current) return false;
      isBusy.current = true;
      const isDone = await attempt(step);
      isBusy.current = false;
      refresh();
      return isDone === true;
    },
    forget: () => void end(undefined),
  };
}

type Values = Readonly<Record<string, unknown>>;

/** How to undo the change of a form, as data. */
export interface WayBack {
  /** The operation that reads the values that the form changes. */
  read: Declared<OperationName>;
  /**
   * The path of the values in the response, such as `app.oidcConfig`; several paths if the members are apart, empty for
   * the whole response.
   */
  of: string | readonly string[];
  at?: Readonly<Record<string, string>>;
  /** Further members to compare, which are derived from other values. */
  also?: readonly string[];
  /** Members whose change loses a secret that cannot be read, and so cannot be restored. */
  lost?: readonly string[];
  /** The operation that writes the values back; defaults to that of the form. */
  operation?: Declared<OperationName>;
  /** The body to write; defaults to the previous values of the form. */
  body?: Values;
}

export interface SavedOperation {
  operation: Declared<OperationName>;
  organizationId: string | undefined;
  /** The previous values of the form, and the sent ones. */
  before: Values;
  sent: Values;
}

/** Returns the undo step of a form that was just saved; undefined if a secret is lost. */
export function stepBack(
  { read, of, at, also = [], lost = [], ...way }: WayBack,
  { organizationId, before, sent, ...form }: SavedOperation,
): UndoStep | undefined {
  if (lost.some((name) => JSON.stringify(before[name]) !== JSON.stringify(sent[name]))) return undefined;
  const names = [...new Set([...also, ...[before, sent, way.body ?? {}].flatMap(Object.keys)])].sort();
  const operation = way.operation ?? form.operation;
  const body = operation.method === "DELETE" ? undefined : (way.body ?? before);
  return {
    async read() {
      const answer = await callOperation(read, { at, organizationId } as never);
      return answer.ok ? JSON.stringify(membersAt(answer.body, of, names)) : undefined;
    },
    revert: () => callOperation(operation, { at, organizationId, body } as never),
  };
}

/** Returns members of some parts of a response. */
function membersAt(answer: unknown, of: WayBack["of"], names: readonly string[]): unknown[] {
  const steps = [of].flat().map((path) => path.split(".").filter(Boolean));
  const parts = steps.map((path) =>
    path.reduce<unknown>((place, name) => (place as Values | undefined)?.[name], answer),
  );
  return parts.flatMap((part) => names.map((name) => (part as Values | undefined)?.[name] ?? null));
}
