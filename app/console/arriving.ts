// The focus after a navigation, which a browser would reset with a new document: on the heading of another page, which
// screen readers then read, and on the same control of another state of the page, such as a sorted list.

interface LeftControl {
  id: string;
  name: string;
  text: string | null;
}

/**
 * Returns the control that has the focus, to be found again on the next page; undefined if that is another page.
 * @param next the address of the next page
 */
export function controlToReturn(next: URL): LeftControl | undefined {
  const control = document.activeElement;
  if (next.pathname !== location.pathname || !control || control === document.body) return undefined;
  return { id: control.id, name: control.localName, text: control.textContent };
}

/** Moves the focus, and closes the menus of the frame. */
export function focusPage(left: LeftControl | undefined): void {
  for (const menu of document.querySelectorAll<HTMLDetailsElement>(":is(.bar, .foot) > details[open]"))
    menu.open = false;
  const isKept = left && document.activeElement !== document.body;
  if (isKept) return;
  const target = (left && sameControl(left)) ?? document.querySelector<HTMLElement>("main h1");
  if (!target) return;
  if (target.localName === "h1") target.tabIndex = -1;
  target.focus({ preventScroll: true });
}

function sameControl({ id, name, text }: LeftControl): HTMLElement | undefined {
  const byId = id === "" ? null : document.getElementById(id);
  if (byId) return byId;
  const alike = document.querySelectorAll<HTMLElement>(`main ${name}`);
  return text === null || text === "" ? undefined : [...alike].find(({ textContent }) => textContent === text);
}
