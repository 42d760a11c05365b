"use client";
// What somebody does before the scripts of a page run, on a slow connection, counts. Once they run they are told what was
// typed and chosen meanwhile, and the last pressed button, or the one whose keys were pressed, is pressed again. Most of all this keeps forms that only a
// script can send from being sent by the browser: what was typed, perhaps a secret, would end up in the address, the
// history and the logs.
import { useEffect } from "react";

/** Runs before anything else on the page. It is not compiled, so it is written for old browsers too. */
const KEEP = `(() => {
  let last;
  const edited = new Map();
  const edit = ({ target }) => edited.set(target, target.value);
  const keep = (event) => {
    const isSubmit = event.type === "submit";
    const act = isSubmit ? event.target : event.target.closest("button[type=button]");
    if (!act || (isSubmit && act.hasAttribute("action"))) return;
    event.preventDefault();
    event.stopImmediatePropagation(); // React may listen already: once is enough
    last = isSubmit ? () => act.requestSubmit(event.submitter) : () => act.click();
  };
  const press = (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey || !/^[a-z]$/i.test(event.key)) return;
    const keys = "Control+" + event.key.toUpperCase();
    const act = document.querySelector('[aria-keyshortcuts~="' + keys + '"]');
    if (!act) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    last = () => act.click();
  };
  document.addEventListener("click", keep, true);
  document.addEventListener("submit", keep, true);
  document.addEventListener("input", edit, true);
  document.addEventListener("keydown", press, true);
  window.earlyActs = {
    edited,
    end() {
      document.removeEventListener("click", keep, true);
      document.removeEventListener("submit", keep, true);
      document.removeEventListener("input", edit, true);
      document.removeEventListener("keydown", press, true);
      const ended = { edits: [...edited], last };
      edited.clear();
      last = undefined;
      return ended;
    },
  };
})();`;

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

declare global {
  interface Window {
    earlyActs?: {
      /** Each edited control, with its value. */
      edited: ReadonlyMap<Control, string>;
      /** Keeps nothing from now on, and gives what it kept: the edits, and the last act. */
      end(): { edits: [Control, string][]; last: (() => void) | undefined };
    };
  }
}

/** Whether somebody changed the form before its script ran, so that what stands in it is not what is saved. */
export function isEditedEarly(form: HTMLFormElement | null): boolean {
  return [...(window.earlyActs?.edited.keys() ?? [])].some((control) => form?.contains(control));
}

/** The first part of a page. @param nonce of the page's policy */
export function EarlyActs({ nonce }: { nonce: string | undefined }) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: a constant of this file
  return <script nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: KEEP }} />;
}

/** The last part of a page: effects run in the order of the tree, and all others must have run before a form is sent. */
export function DoEarlyActs() {
  // Not within the effect, where what a control's handler changes is not shown at once.
  useEffect(() => queueMicrotask(doEarlyActs), []);
  return null;
}

function doEarlyActs(): void {
  const early = window.earlyActs?.end();
  for (const [control, value] of early?.edits ?? []) tell(control, value);
  early?.last?.();
}

/**
 * Lets React hear what it would have heard had it listened. It hears only of a value that differs from the one it knows,
 * and knows the one that it found (its `_valueTracker`): so it is made to know another.
 */
function tell(control: Control & { _valueTracker?: { setValue(known: string): void } }, value: string): void {
  if (!control.isConnected) return;
  if (control instanceof HTMLInputElement && ["checkbox", "radio"].includes(control.type)) {
    control._valueTracker?.setValue(String(!control.checked));
    control.dispatchEvent(new Event("click", { bubbles: true })); // no mouse's: it turns nothing
  } else {
    if (control.value !== value && control.type !== "file") setValue(control, value);
    control._valueTracker?.setValue(`${value}-`);
    // As it was typed: a field that finds names opens its list then, and not for what the browser fills in.
    control.dispatchEvent(new InputEvent("input", { bubbles: true, inputType: "insertText" }));
  }
  control.dispatchEvent(new Event("change", { bubbles: true }));
}

/** As the browser does when somebody types: without React, which has put a setter of its own before it. */
function setValue(control: Control, value: string): void {
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(control), "value")?.set?.call(control, value);
}
