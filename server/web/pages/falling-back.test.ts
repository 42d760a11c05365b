import { expect, it } from "vitest";
import { markFallingBack } from "./falling-back";

const [LTR, END] = ["\u2066", "\u2069"];
const marked = (html: string) => markFallingBack(html, "en").replaceAll('<span lang="en" dir="ltr">', "[");

it("marks the words between isolates with their language and direction, elements among them included", () => {
  expect(markFallingBack(`<p>${LTR}Sign in.${END}</p>`, "he")).toBe('<p><span lang="he" dir="rtl">Sign in.</span></p>');
  expect(marked(`<p>${LTR}to <bdi>Shop</bdi><br/> now${END} و</p>`)).toBe(
    "<p>[to <bdi>Shop</bdi><br/> now</span> و</p>",
  );
});

it("marks English words as English if the base language lacks them", () => {
  expect(markFallingBack(`<p>\u2068Sign in.${END} الآن</p>`, "ar")).toBe(
    '<p><span lang="en" dir="ltr">Sign in.</span> الآن</p>',
  );
});

it("leaves attributes as they are, and elements that have no others in them", () => {
  const html = `<title>${LTR}A${END}</title><option>${LTR}B${END}</option><input aria-label="${LTR}C${END}"/>`;
  expect(marked(`${html}<p>${LTR}D${END}</p>`)).toBe(`${html}<p>[D</span></p>`);
});

it("neither opens nor closes anything beyond the element that an isolate of a name is in", () => {
  expect(marked(`<p>${LTR}to <bdi>a${END}b${LTR}c</bdi>.${END}</p>${END}`)).toBe(
    "<p>[to <bdi>ab[c</span></bdi>.</span></p>",
  );
});
