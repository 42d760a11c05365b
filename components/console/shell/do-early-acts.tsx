"use client";
// Repeats user input that happened before hydration (keep-early-acts.ts): typed and selected values, then the last
// click or key press.
import { useEffect } from "react";
import type { EarlyControl } from "./keep-early-acts";

/** The last part of a page: effects run in tree order, and all others must have run before a form is sent. */
export function DoEarlyActs() {
  // Deferred, because state changes made by a control's handler inside the effect are not rendered at once.
  useEffect(() => queueMicrotask(doEarlyActs), []);
  return null;
}

function doEarlyActs(): void {
  const early = window.earlyActs?.end();
  for (const [control, value] of early?.edits ?? []) if (control.isConnected) editAgain(control, value);
  early?.last?.();
}

/** Makes the edit again, with its events. React ignores one that leaves the value as it is, so it is undone first. */
function editAgain(control: EarlyControl, value: string): void {
  if (control instanceof HTMLInputElement && (control.type === "checkbox" || control.type === "radio")) {
    control.checked = control.type === "checkbox" && value !== "true";
    control.click();
    return;
  }
  if (control instanceof HTMLSelectElement) control.value = value;
  else if (control.type !== "file") {
    control.value = control.defaultValue;
    typeIn(control, value);
    // The input type marks the text as typed: a search field then opens its list, which it does not for autofill.
    control.dispatchEvent(new InputEvent("input", { bubbles: true, inputType: "insertText" }));
  }
  control.dispatchEvent(new Event("change", { bubbles: true }));
}

/** Sets the value as the browser does for a key press: React takes an assignment for one of its own. */
function typeIn(control: HTMLInputElement | HTMLTextAreaElement, value: string): void {
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(control), "value")?.set?.call(control, value);
}
