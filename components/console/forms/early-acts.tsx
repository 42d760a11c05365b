"use client";
// Replays user input that happened before hydration, on slow connections. It restores typed and selected values and
// repeats the last click or key press. It also keeps the browser from submitting forms that only a script can send: the
// input, possibly a secret, would end up in the address, the history and the logs.
import { useEffect } from "react";

/** Runs before anything else on the page. It is not compiled, so its syntax must work in old browsers. */
const KEEP = `(() => {
  let last;
  const edited = new Map();
  const edit = ({ target }) => edited.set(target, target.value);
  const keep = (event) => {
    const isSubmit = event.type === "submit";
    const act = isSubmit ? event.target : event.target.closest("button[type=button]");
    if (!act || (isSubmit && act.hasAttribute("action"))) return;
    event.preventDefault();
    event.stopImmediatePropagation(); // React may be listening already, and the event must be handled only once
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
      /** The edited controls with their values. */
      edited: ReadonlyMap<Control, string>;
      /** Stops recording and returns the recorded edits and the last action. */
      end(): { edits: [Control, string][]; last: (() => void) | undefined };
    };
  }
}

/** Whether the user changed the form before its script ran, so that its content differs from the saved values. */
export function isEditedEarly(form: HTMLFormElement | null): boolean {
  return [...(window.earlyActs?.edited.keys() ?? [])].some((control) => form?.contains(control));
}

/**
 * The recording script, the first part of a page.
 * @param nonce the nonce of the page's Content-Security-Policy
 */
export function EarlyActs({ nonce }: { nonce: string | undefined }) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: a constant of this file
  return <script nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: KEEP }} />;
}

/** The last part of a page: effects run in tree order, and all others must have run before a form is sent. */
export function DoEarlyActs() {
  // Deferred, because state changes made by a control's handler inside the effect are not rendered at once.
  useEffect(() => queueMicrotask(doEarlyActs), []);
  return null;
}

function doEarlyActs(): void {
  const early = window.earlyActs?.end();
  for (const [control, value] of early?.edits ?? []) tell(control, value);
  early?.last?.();
}

/**
 * Notifies React of an input event that it missed. React ignores a value equal to the one it tracks, and it has tracked
 * the current one (in `_valueTracker`), so the tracked value is changed first.
 */
function tell(control: Control & { _valueTracker?: { setValue(known: string): void } }, value: string): void {
  if (!control.isConnected) return;
  if (control instanceof HTMLInputElement && ["checkbox", "radio"].includes(control.type)) {
    control._valueTracker?.setValue(String(!control.checked));
    control.dispatchEvent(new Event("click", { bubbles: true })); // not a MouseEvent, which would toggle it
  } else {
    if (control.value !== value && control.type !== "file") setValue(control, value);
    control._valueTracker?.setValue(`${value}-`);
    // The input type marks the text as typed: a search field then opens its list, which it does not for autofill.
    control.dispatchEvent(new InputEvent("input", { bubbles: true, inputType: "insertText" }));
  }
  control.dispatchEvent(new Event("change", { bubbles: true }));
}

/** Sets the value with the browser's native setter, bypassing the setter that React installed on the element. */
function setValue(control: Control, value: string): void {
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(control), "value")?.set?.call(control, value);
}
