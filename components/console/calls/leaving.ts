// The guards of unsaved input. Everything that leaves the page inside the document (a link, a search, the palette, the
// browser's back button) asks them first.

export interface Departure {
  /** The address that the navigation leads to. */
  address: string;
  /** Continues the navigation, after the user has answered. */
  go(): void;
}

/** Returns true if it holds the navigation and asks the user. */
type Guard = (departure: Departure) => boolean;

const guards = new Set<Guard>();

/** Adds a guard. Returns the function that removes it. */
export function guardLeaving(guard: Guard): () => void {
  guards.add(guard);
  return () => void guards.delete(guard);
}

/** Returns whether the page may be left now; if not, a guard continues the navigation when the user agrees. */
export const mayLeave = (departure: Departure): boolean => ![...guards].some((guard) => guard(departure));

/** The document that the console loads in place of this one. */
let nextDocument: URL | undefined;

/** Loads a document, for a page that this one cannot show: in another language, or after too long a wait. */
export function loadDocument(url: URL): void {
  nextDocument = url;
  location.assign(url);
}

/**
 * Keeps values of the current page for `loadDocument`, which may load the same page again. They are kept when this
 * document ends: until then, a slow navigation may still change what it shows.
 * @returns the function that ends it
 */
export function beforeNextDocument(keep: () => void): () => void {
  const onHide = () => {
    if (nextDocument?.pathname === location.pathname) keep();
  };
  addEventListener("pagehide", onHide);
  return () => removeEventListener("pagehide", onHide);
}
