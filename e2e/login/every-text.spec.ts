/**
 * Every state of every page and message, as editors of texts see them: on a phone no word is broken in its middle, no
 * button has four lines, nothing is clipped or wider than the page, in both colour schemes, and axe finds nothing.
 * Runs with EVERY_LANGUAGE only, because other fonts have other widths; SCREENSHOTS names a folder for pictures.
 */
import type { Page } from "@playwright/test";
import { COLOUR_RULES, findings } from "../axe";
import { askedLanguages } from "../languages";
import { type Call, callAt, expect, test } from "../managed";
import { keepPicture } from "../pictures";

const VIEWS = [
  { width: 320, colorScheme: "light" },
  { width: 320, colorScheme: "dark" },
  { width: 1280, colorScheme: "dark" },
] as const;

/** An email has no landmarks, and a text message no heading. */
const MAIL_RULES = [...COLOUR_RULES, "html-has-lang", "html-lang-valid", "valid-lang", "link-name", "image-alt"];

/** Returns one line for each layout mistake. */
async function misfits(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    const width = document.documentElement.clientWidth;
    const isShown = (element: Element) => {
      const { width, height } = element.getBoundingClientRect();
      return width > 1 && height > 1 && !element.closest(".hidden, .languages form, [role=article] > div:first-child");
    };
    const linesOf = (range: Range) => {
      const boxes = [...range.getClientRects()].filter(({ width }) => width > 0.5);
      return new Set(boxes.map(({ top, height }) => Math.round(top / (height / 2 || 1)))).size;
    };
    // Scripts without spaces between words may break a line after any letter. Names, codes and addresses are broken
    // last.
    if (!["ja", "th", "zh"].includes(document.documentElement.lang)) {
      const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      while (texts.nextNode()) {
        const node = texts.currentNode as Text;
        const around = node.parentElement;
        if (!around || !isShown(around) || around.closest("bdi, code, style, a[dir=ltr]")) continue;
        for (const { 0: word, index } of node.data.matchAll(/[\p{L}\p{M}\p{N}\u2019\u200c]+/gu)) {
          const range = document.createRange();
          range.setStart(node, index);
          range.setEnd(node, index + word.length);
          if (linesOf(range) > 1) found.push(`breaks the word ${word}`);
        }
      }
    }
    for (const element of document.body.querySelectorAll("*")) {
      if (!isShown(element) || element.closest("svg")) continue;
      const { left, right, height } = element.getBoundingClientRect();
      const name = `${element.tagName.toLowerCase()} “${element.textContent?.slice(0, 60)}”`;
      if (left < -1 || right > width + 1) found.push(`is wider than the page: ${name}`);
      if (element.matches(".primary, .secondary") && height > 90) found.push(`has a button of ${height} px: ${name}`);
      const cuts = getComputedStyle(element).overflow !== "visible" && !element.matches("input, select");
      const isCut = element.scrollWidth > element.clientWidth + 1 || element.scrollHeight > element.clientHeight + 1;
      if (cuts && isCut) found.push(`cuts off ${name}`);
    }
    return found;
  });
}

/**
 * Checks one document in all views and returns its mistakes.
 * @param picture the first part of the picture's name
 * @param all rules for axe; all rules if undefined. The rules about colours are checked again in the dark scheme
 */
async function lookAt(page: Page, picture: string, html: string, all?: readonly string[]): Promise<string[]> {
  const problems: string[] = [];
  await page.setContent(html);
  for (const { width, colorScheme } of VIEWS) {
    const rules = colorScheme === "dark" ? COLOUR_RULES : all;
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    for (const problem of [...(await misfits(page)), ...(await findings(page, rules))])
      problems.push(`${picture}, ${colorScheme}, ${width}: ${problem}`);
    await keepPicture(page, `${picture}-${colorScheme}-${width}`);
  }
  return problems;
}

async function answerOf<T>(call: Call, method: string, path: string, body?: object): Promise<T> {
  const answer = await call(method, path, body);
  expect(answer.status, path).toBe(200);
  return (await answer.json()) as T;
}

for (const language of askedLanguages ?? []) {
  test(`every state of every page in ${language} fits`, async ({ page, service }) => {
    test.setTimeout(15 * 60_000);
    const call = await callAt(service.baseUrl, `/management/v1/text/login/${language}`);
    const { pages } = await answerOf<{ pages: { id: string }[] }>(call, "GET", "/_explain");
    const problems: string[] = [];
    for (const { id } of pages) {
      const { html } = await answerOf<{ html: string }>(call, "POST", "/_preview", { page: id });
      problems.push(...(await lookAt(page, `${language}/${id}`, html)));
    }
    expect(problems).toEqual([]);
    expect(pages.length).toBeGreaterThan(100);
  });
}

for (const language of askedLanguages ?? []) {
  test(`every message in ${language} fits`, async ({ page, service }) => {
    test.setTimeout(15 * 60_000);
    const { paths } = (await (await fetch(`${service.baseUrl}/openapi.json`)).json()) as { paths: object };
    const types = Object.keys(paths).flatMap(
      (path) => /^\/management\/v1\/text\/variables\/(\w+)$/.exec(path)?.[1] ?? [],
    );
    expect(types.length).toBeGreaterThan(10);
    const call = await callAt(service.baseUrl, "/management/v1/text/message");
    const problems: string[] = [];
    for (const type of types) {
      const { html } = await answerOf<{ html: string }>(call, "POST", `/${type}/${language}/_preview`, {});
      problems.push(...(await lookAt(page, `${language}/mail-${type}`, html, MAIL_RULES)));
    }
    expect(problems).toEqual([]);
  });
}
