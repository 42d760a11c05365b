/**
 * Checks pages in forced colours (CSS `forced-colors`): backgrounds, shadows and text colours are lost there, so
 * interactive elements need a line around, beside or below them.
 */
import type { Page } from "@playwright/test";

/** Returns one line for each interactive element that is only recognizable by its colour or place. */
export async function unmarked(page: Page): Promise<string[]> {
  await page.emulateMedia({ forcedColors: "active" });
  const found = await page.evaluate(() => {
    const probe = document.body.appendChild(document.createElement("span"));
    probe.style.color = "Canvas";
    const canvas = getComputedStyle(probe).color;
    probe.remove();
    /** Excludes texts for screen readers, which are clipped to a pixel. */
    const isSeen = (element: Element) =>
      element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
      element.getBoundingClientRect().width > 1;
    const hasLine = (element: Element) => {
      const style = getComputedStyle(element);
      return ["outline", "border-top", "border-right", "border-bottom", "border-left"].some(
        (line) =>
          style.getPropertyValue(`${line}-style`) !== "none" &&
          style.getPropertyValue(`${line}-width`) !== "0px" &&
          style.getPropertyValue(`${line}-color`) !== canvas,
      );
    };
    /**
     * Whether an element has a frame: an entry that is one button, or a field that shares its frame with a button or,
     * as a filter, with its label.
     */
    const isFramed = (element: Element) => {
      const { parentElement } = element;
      const frame = element.matches("button") ? parentElement : (element.closest(".chip") ?? parentElement);
      return frame?.matches(element.matches("button") ? "li" : ".control, .chip") && hasLine(frame);
    };
    const isUnderlined = (element: Element) => {
      const underlined = (one: Element) => getComputedStyle(one).textDecorationLine.includes("underline");
      const words = [element, ...element.querySelectorAll("*")].filter(
        (one) => isSeen(one) && [...one.childNodes].some((node) => node instanceof Text && node.data.trim() !== ""),
      );
      return words.some((one) => {
        for (let each: Element | null = one; each && element.contains(each); each = each.parentElement) {
          if (underlined(each)) return true;
        }
        return false;
      });
    };
    /** Whether an element has a sign: the arrow of a menu, the box of a checkbox. */
    const hasSign = (element: Element) =>
      element.matches("summary")
        ? getComputedStyle(element).display === "list-item" ||
          ["::before", "::after"].some((part) => getComputedStyle(element, part).content !== "none")
        : element.matches("[type=checkbox], [type=radio]");
    return [...document.querySelectorAll("a[href], button, summary, input, select, textarea, [role=tab]")]
      .filter((element) => isSeen(element) && !element.closest(".hidden, [aria-hidden=true]"))
      .filter((element) => ![hasLine, isFramed, isUnderlined, hasSign].some((marks) => marks(element)))
      .map((element) => element.outerHTML.slice(0, 200));
  });
  await page.emulateMedia({ forcedColors: "none" });
  return found;
}
