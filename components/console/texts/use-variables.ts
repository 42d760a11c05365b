// The variables of the open message, from the catalogue that the checks and the sending also use.

import { useEffect, useState } from "react";
import type { TextScope } from "./address";
import { ask } from "./ask";
import type { OfferedVariable } from "./braces";
import type { MessageType } from "./messages";
import { operationsOn } from "./operations";

export interface KnownVariables {
  type: MessageType;
  variables: readonly OfferedVariable[];
}

const NONE: readonly OfferedVariable[] = [];

export function useVariables(scope: TextScope, type: MessageType, initial: KnownVariables): readonly OfferedVariable[] {
  const [known, setKnown] = useState<ReadonlyMap<MessageType, readonly OfferedVariable[]>>(
    () => new Map([[initial.type, initial.variables]]),
  );
  const isKnown = known.has(type);
  useEffect(() => {
    if (isKnown) return;
    const controller = new AbortController();
    const { signal } = controller;
    void ask(operationsOn(scope).variables, { at: { type }, signal }).then((answer) => {
      if (answer?.ok) setKnown((before) => new Map(before).set(type, answer.body.variables));
    });
    return () => controller.abort();
  }, [scope, type, isKnown]);
  return known.get(type) ?? NONE;
}
