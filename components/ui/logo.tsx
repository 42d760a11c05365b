// The product's own mark: a person in a doorway, which is also a keyhole. It is one path, cut out with evenodd, in the
// colour of the surrounding text, so that it needs no request and follows light, dark and forced colours.

export const PRODUCT_NAME = "Identity Service";

/** The outline of the mark in a 32 × 32 box. The same path is in public/icons/logo.svg and public/icons/favicon.svg. */
const MARK_PATH =
  "M4 15a12 12 0 0 1 24 0v13a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2zm12-4.6a4 4 0 1 0 0 8 4 4 0 0 0 0-8m0 10.2a6.2 6.2 0 0 0-6.2 6.2V30h12.4v-3.2a6.2 6.2 0 0 0-6.2-6.2";

/** The mark next to the name, hidden from screen readers. */
export function Mark() {
  return (
    <svg className="mark" viewBox="0 0 32 32" width="32" height="32" aria-hidden="true" focusable="false">
      <path fill="currentColor" fillRule="evenodd" d={MARK_PATH} />
    </svg>
  );
}
