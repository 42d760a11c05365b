// Records user input that happens before hydration, on slow connections: the edited controls, and the last click or key
// press. It also keeps the browser from submitting forms that only a script can send: the input, possibly a secret,
// would end up in the address, the history and the logs.

export type EarlyControl = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

declare global {
  interface Window {
    earlyActs?: {
      /**
       * Stops recording and returns the edited controls with their values (for a checkbox, whether it is checked), and
       * the last action.
       */
      end(): { edits: [EarlyControl, string][]; last: (() => void) | undefined };
    };
  }
}

/** A script of the page; see PageScript. */
export function keepEarlyActs(): void {
  let last: (() => void) | undefined;
  const edited = new Map<EarlyControl, string>();
  const edit = ({ target }: Event) => {
    const control = target as EarlyControl;
    edited.set(control, "checked" in control && control.type === "checkbox" ? String(control.checked) : control.value);
  };
  const keep = (event: Event) => {
    const target = event.target as Element;
    const form = event.type === "submit" ? (target as HTMLFormElement) : undefined;
    const button = form ? undefined : target.closest<HTMLElement>("button[type=button]");
    if ((!form && !button) || form?.hasAttribute("action")) return;
    event.preventDefault();
    event.stopImmediatePropagation(); // React may be listening already, and the event must be handled only once
    last = () => (form ? form.requestSubmit((event as SubmitEvent).submitter) : button?.click());
  };
  const press = (event: KeyboardEvent) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey || !/^[a-z]$/i.test(event.key)) return;
    const button = document.querySelector<HTMLElement>(`[aria-keyshortcuts~="Control+${event.key.toUpperCase()}"]`);
    if (!button) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    last = () => button.click();
  };
  document.addEventListener("click", keep, true);
  document.addEventListener("submit", keep, true);
  document.addEventListener("input", edit, true);
  document.addEventListener("keydown", press, true);
  window.earlyActs = {
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
}
