"use client";
// Taking back what was just saved: the values from before are written again, by a real call. If somebody else has changed
// them meanwhile, nothing is written, as theirs would be lost.
import { useTranslations } from "next-intl";
import { useRef, useState } from "react";
import { callOperation } from "./call";
import type { Declared, OperationName } from "./declared";
import { useRefresh } from "./refresh";
import type { Answer } from "./refusal";
import { useRefusalText } from "./refusal-text";
import { useToast } from "./toasts";
import { useTurn } from "./use-turn";

/** How one change is taken back. */
export interface UndoStep {
  /** What is saved now, to be compared; undefined if it cannot be read. */
  read(): Promise<string | undefined>;
  /** Writes what was there before. */
  revert(): Promise<Answer<unknown>>;
  /** What the page does then, beside being read anew. */
  done?(): void;
}

export interface Undo {
  isOffered: boolean;
  /** Why it was not taken back. */
  problem: string | undefined;
  /** After saving. */
  offer(step: UndoStep): Promise<void>;
  /** @returns whether it was taken back */
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

/** What takes back what a form has saved, as data. */
export interface WayBack {
  /** Reads what the form changes. */
  read: Declared<OperationName>;
  /** Where in the answer that is: `app.oidcConfig`; several places where its members are apart, none for the whole answer. */
  of: string | readonly string[];
  at?: Readonly<Record<string, string>>;
  /** Members that are compared, too, as they tell what is read from others. */
  also?: readonly string[];
  /** Members whose change loses a secret that nothing reads, and so nothing can write back. */
  lost?: readonly string[];
  /** What writes it back; by default the operation of the form. */
  operation?: Declared<OperationName>;
  /** What is written; by default what the form said before. */
  body?: Values;
}

export interface SavedOperation {
  operation: Declared<OperationName>;
  organizationId: string | undefined;
  /** What the form said before, and what was sent. */
  before: Values;
  sent: Values;
}

/** @returns the step back of a form that was just saved; undefined: there is none, as a secret is lost */
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

/** Members of some parts of an answer. */
function membersAt(answer: unknown, of: WayBack["of"], names: readonly string[]): unknown[] {
  const steps = [of].flat().map((path) => path.split(".").filter(Boolean));
  const parts = steps.map((path) =>
    path.reduce<unknown>((place, name) => (place as Values | undefined)?.[name], answer),
  );
  return parts.flatMap((part) => names.map((name) => (part as Values | undefined)?.[name] ?? null));
}
