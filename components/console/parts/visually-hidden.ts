// Replaces Base UI's module of this name (next.config.mjs). Its declarations are set as a style attribute, which the
// page's Content-Security-Policy rejects in HTML but allows when a script sets it. So the server renders none: elements
// rendered hidden are hidden by our style sheet (styles/form.css).
import type { CSSProperties } from "react";

const UNSEEN: CSSProperties = {
  clipPath: "inset(50%)",
  overflow: "hidden",
  whiteSpace: "nowrap",
  border: 0,
  padding: 0,
  width: 1,
  height: 1,
};

/** For elements that must not cause scrolling at any position. */
export const visuallyHidden: CSSProperties = hidden({ margin: 0, position: "fixed", top: 0, left: 0 });

/** For a control whose validation errors the browser shows next to it. */
export const visuallyHiddenInput: CSSProperties = hidden({ margin: -1, position: "absolute" });

function hidden(place: CSSProperties): CSSProperties {
  return typeof document === "undefined" ? {} : { ...UNSEEN, ...place };
}
