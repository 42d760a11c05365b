import type { ReactElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import type { LocaleTag } from "../../../messages/locales";
import { markFallingBack } from "./falling-back";

const [LTR, END] = ["\u2066", "\u2069"];
const rendered = (page: ReactElement, base: LocaleTag = "en") => renderToStaticMarkup(markFallingBack(page, base));
const marked = (page: ReactElement) => rendered(page).replaceAll('<span lang="en" dir="ltr">', "[");
const Bold = ({ children }: { children: string }) => <b>{children}</b>;

it("marks the words between isolates with their language and direction, elements among them included", () => {
  expect(rendered(<p>{`${LTR}Sign in.${END}`}</p>, "he")).toBe('<p><span lang="he" dir="rtl">Sign in.</span></p>');
  expect(
    marked(
      <p>
        {[`${LTR}to `, <bdi key="name">Shop</bdi>]}
        <br />
        {` now${END} و`}
      </p>,
    ),
  ).toBe("<p>[to <bdi>Shop</bdi><br/> now</span> و</p>");
});

it("marks what components render", () => {
  expect(marked(<Bold>{`${LTR}A${END}`}</Bold>)).toBe("<b>[A</span></b>");
});

it("marks English words as English if the base language lacks them", () => {
  expect(rendered(<p>{`\u2068Sign in.${END} الآن`}</p>, "ar")).toBe(
    '<p><span lang="en" dir="ltr">Sign in.</span> الآن</p>',
  );
});

it("leaves attributes as they are, and elements that have no others in them", () => {
  const unmarked = (
    <>
      <title>{`${LTR}A${END}`}</title>
      <option>{`${LTR}B${END}`}</option>
      <input aria-label={`${LTR}C${END}`} />
    </>
  );
  expect(
    marked(
      <>
        {unmarked}
        <p>{`${LTR}D${END}`}</p>
      </>,
    ),
  ).toBe(`${renderToStaticMarkup(unmarked)}<p>[D</span></p>`);
});

it("neither opens nor closes anything beyond the element that an isolate of a name is in", () => {
  expect(
    marked(
      <div>
        <p>
          {`${LTR}to `}
          <bdi>{`a${END}b${LTR}c`}</bdi>
          {`.${END}`}
        </p>
        {END}
      </div>,
    ),
  ).toBe("<div><p>[to <bdi>ab[c</span></bdi>.</span></p></div>");
});
