// Stands in for Base UI's module of this name (next.config.mjs). What it hides from sight carries these declarations as a
// style attribute, which the policy of a page refuses where it comes with the HTML (Content-Security-Policy) and allows where a
// script sets it. So the server writes none: what it renders hidden is hidden by our style sheets (styles/form.css).
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

/** For what scrolls nothing, wherever it stands. */
export const visuallyHidden: CSSProperties = hidden({ margin: 0, position: "fixed", top: 0, left: 0 });

/** For a control whose problems the browser shows beside it. */
export const visuallyHiddenInput: CSSProperties = hidden({ margin: -1, position: "absolute" });

function hidden(place: CSSProperties): CSSProperties {
  return typeof document === "undefined" ? {} : { ...UNSEEN, ...place };
}
