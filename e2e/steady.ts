/**
 * Checks that a page does not change when its scripts run: a user would miss an element that moves or is replaced at
 * the moment of a press. The scripts are held until the page was inspected at both widths.
 */
import { expect, type Page, type Request } from "@playwright/test";

/** Holds the scripts of the pages that follow, until the returned function is called. */
export async function holdScripts(page: Page): Promise<() => void> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route("**/_next/static/**.js", async (route) => {
    await released;
    await route.continue();
  });
  return () => release();
}

/** Must be called before the scripts run. @returns a function that waits until they have done their initial work */
export async function scriptsBegin(page: Page): Promise<() => Promise<void>> {
  await page.evaluate(() => {
    window.begun = new Promise((resolve) => {
      const early = window.earlyActs;
      const end = early?.end;
      if (!early || !end) throw new Error("The page has no scripts");
      early.end = () => {
        queueMicrotask(resolve);
        return end();
      };
    });
  });
  return () => page.evaluate(() => window.begun);
}

/** CSS pixels. The scripts start at the last width. */
const WIDTHS = [320, 1280] as const;
const HEIGHT = 800;

/** Elements that a user may be about to press. */
const PRESSED = "a, button, input, label, select, summary, textarea, [role=tab]";

interface Look {
  places: Map<Element, DOMRect>;
  scrolled: number;
}

declare global {
  interface Window {
    looks: Record<string, Look>;
    shifts: { at: number; moved: string[] }[];
    /** The promise that `scriptsBegin` waits for. */
    begun: Promise<void>;
    /** The promise that `shifts` waits for if the script of a page is late. */
    late?: Promise<void>;
  }
}

/** Records the layout shifts that browsers report on the pages that follow, for `shifts`. */
export async function watchShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    window.shifts = [];
    const nameOf = (node: Node | null) =>
      (node instanceof Element ? node : node?.parentElement)?.outerHTML.slice(0, 100);
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { sources } = entry as PerformanceEntry & { sources: { node: Node | null }[] };
        window.shifts.push({ at: entry.startTime, moved: sources.map(({ node }) => nameOf(node) ?? "something") });
      }
    }).observe({ type: "layout-shift", buffered: true });
  });
}

/**
 * Delays the script inside each page that follows until the page was shown, as on a busy device: a browser may show a
 * page before it has run the script at its end. `shifts` waits for it.
 */
export async function runScriptsLate(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const isShown = () =>
      new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve())));
    // Notified of the element before it runs: the parser lets observers run first.
    new MutationObserver((changes, observer) => {
      for (const node of changes.flatMap(({ addedNodes }) => [...addedNodes])) {
        if (!(node instanceof HTMLScriptElement) || node.type) continue;
        observer.disconnect();
        node.type = "late";
        window.late = isShown().then(() => {
          const script = document.createElement("script");
          script.text = node.text; // the same text, which the policy allows by its hash
          node.replaceWith(script);
          return isShown();
        });
      }
    }).observe(document, { childList: true, subtree: true });
  });
}

/** Returns the elements that moved, one line each. @param since milliseconds of the page's own time */
export const shifts = (page: Page, since = 0): Promise<string[]> =>
  page.evaluate(async (from) => {
    await window.late;
    return window.shifts.filter(({ at }) => at > from).map(({ moved }) => moved.join(" | "));
  }, since);

/** Must be called once before `whatMoves`. */
export async function watchPages(page: Page): Promise<{ whatMoves(address: string): Promise<string[]> }> {
  const unanswered = new Set<Request>();
  page.on("request", (request) => unanswered.add(request));
  page.on("requestfinished", (request) => unanswered.delete(request));
  page.on("requestfailed", (request) => unanswered.delete(request));
  await page.clock.install();
  await watchShifts(page);
  return {
    /**
     * Returns one line for each element that moves, or is replaced although it can be pressed, when the scripts of the
     * page start. Elements that appear at the end of the page or in reserved space move nothing.
     */
    async whatMoves(address) {
      await page.goto("about:blank"); // a new fragment of the same page would load nothing
      const letScriptsRun = await holdScripts(page);
      const answer = await page.goto(address, { waitUntil: "domcontentloaded" });
      expect(answer?.status(), address).toBe(200);
      for (const width of WIDTHS) await lookAt(page, width, "before");
      const begin = await page.evaluate(() => performance.now());
      const begun = await scriptsBegin(page);
      letScriptsRun();
      await begun();
      await page.clock.fastForward(2_000); // some requests are sent after a moment
      await shown(page);
      await expect.poll(() => unanswered.size).toBe(0);
      await shown(page);
      const shifted = await shifts(page, begin);
      const moved: string[] = [];
      for (const width of [...WIDTHS].reverse()) {
        await lookAt(page, width, "after");
        moved.push(...(await differences(page, width)));
      }
      await page.unrouteAll();
      return [...moved, ...shifted.map((what) => `shifted: ${what}`)];
    },
  };
}

const shown = (page: Page) =>
  page.evaluate(
    () => new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))),
  );

/** Records the positions of all elements relative to the page. */
async function lookAt(page: Page, width: number, when: "before" | "after"): Promise<void> {
  await page.setViewportSize({ width, height: HEIGHT });
  await shown(page);
  await page.evaluate((name) => {
    const places = new Map<Element, DOMRect>();
    for (const element of document.body.querySelectorAll("*")) {
      if (!element.checkVisibility()) continue;
      const { x, y, width, height } = element.getBoundingClientRect();
      if (width > 0 && height > 0) places.set(element, new DOMRect(x + scrollX, y + scrollY, width, height));
    }
    window.looks = { ...window.looks, [name]: { places, scrolled: scrollY } };
  }, `${when} ${width}`);
}

function differences(page: Page, width: number): Promise<string[]> {
  return page.evaluate(
    ([width, pressed]) => {
      const [before, after] = [window.looks[`before ${width}`], window.looks[`after ${width}`]];
      if (!before || !after) throw new Error("The page was not looked at");
      const found: string[] = [];
      const tell = (what: string, element: Element) =>
        found.push(`${what} at ${width}: ${element.outerHTML.slice(0, 150)}`);
      const isFar = (one: number, other: number) => Math.abs(one - other) > 0.5;
      for (const [element, was] of before.places) {
        const canBePressed = element.matches(pressed);
        const is = after.places.get(element);
        if (!is) {
          if (canBePressed) tell(element.isConnected ? "hidden" : "replaced", element);
        } else if (isFar(is.x, was.x) || isFar(is.y, was.y)) {
          tell(`moved by ${Math.round(is.x - was.x)}, ${Math.round(is.y - was.y)}`, element);
        } else if (canBePressed && (isFar(is.width, was.width) || isFar(is.height, was.height))) {
          tell(`grown by ${Math.round(is.width - was.width)}, ${Math.round(is.height - was.height)}`, element);
        }
      }
      return found.slice(0, 5); // the first ones moved the others
    },
    [width, PRESSED] as const,
  );
}
