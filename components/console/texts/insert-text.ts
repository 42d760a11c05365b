// Writes into a text area as if it had been typed, so that Ctrl+Z takes it back: a value that is set by a script throws
// the history of the field away.

/** Replaces a stretch of the text (UTF-16 units); the caret stands behind it then. */
export function insertText(area: HTMLTextAreaElement, from: number, to: number, text: string): void {
  area.focus();
  area.setSelectionRange(from, to);
  const isDone = text === "" ? document.execCommand("delete") : document.execCommand("insertText", false, text);
  if (isDone) return;
  area.setRangeText(text, from, to, "end");
  area.dispatchEvent(new Event("input", { bubbles: true }));
}
