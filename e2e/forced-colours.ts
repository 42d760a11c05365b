/**
 * What is left of a page where people choose all colours by themselves (CSS `forced-colors`): tints, shadows and colours
 * of text say nothing there, so what can be pressed needs a line around it, beside it or under its words.
 */
import type { Page } from "@playwright/test";

/** One line for each thing that can be pressed and shows it by colour or by its place alone. */
export async function unmarked(page: Page): Promise<string[]> {
  await page.emulateMedia({ forcedColors: "active" });
  const found = await page.evaluate(() => {
    const probe = document.body.appendChild(document.createElement("span"));
    probe.style.color = "Canvas";
    const canvas = getComputedStyle(probe).color;
    probe.remove();
    /** Not what is written for screen readers, which is cut down to a pixel. */
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
    /** An entry that is one button, and a field that shares its frame with a button. */
    const isFramed = (element: Element) => {
      const { parentElement } = element;
      return parentElement?.matches(element.matches("button") ? "li" : ".control") && hasLine(parentElement);
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
    /** The arrow of what opens, the box of what is checked. */
    const hasSign = (element: Element) =>
      element.matches("summary")
        ? getComputedStyle(element).display === "list-item" ||
          ["::before", "::after"].some((part) => getComputedStyle(element, part).content !== "none")
        : element.matches("[type=checkbox], [type=radio]");
    return [...document.querySelectorAll("a[href], button, summary, input, select, textarea, [role=tab]")]
      .filter((element) => isSeen(element) && !element.closest(".hidden"))
      .filter((element) => ![hasLine, isFramed, isUnderlined, hasSign].some((marks) => marks(element)))
      .map((element) => element.outerHTML.slice(0, 200));
  });
  await page.emulateMedia({ forcedColors: "none" });
  return found;
}
