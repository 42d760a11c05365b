// Inserts into a text area as if it had been typed, so that Ctrl+Z undoes it: setting the value by script would clear
// the undo history of the field.

/** Replaces a range of the text (UTF-16 code units) and puts the caret after it. */
export function insertText(area: HTMLTextAreaElement, from: number, to: number, text: string): void {
  area.focus();
  area.setSelectionRange(from, to);
  const isDone = text === "" ? document.execCommand("delete") : document.execCommand("insertText", false, text);
  if (isDone) return;
  area.setRangeText(text, from, to, "end");
  area.dispatchEvent(new Event("input", { bubbles: true }));
}
