/**
 * The navigations of a page, for the message of a failed test: a navigation that never ends has no error of its own.
 */
import { setTimeout } from "node:timers/promises";
import type { Page, Request } from "@playwright/test";

/** The number of reported navigations, newest last. */
const TOLD = 30;

/** Milliseconds that a page may take to return its content: a hanging page returns nothing. */
const PATIENCE = 5_000;

/**
 * Records the documents that a page and its frames request. @returns a function that returns them and the current
 * content
 */
export function recordNavigations(page: Page): () => Promise<string> {
  const since = Date.now();
  const steps: string[] = [];
  const tell = (step: string) => steps.push(`${Date.now() - since} ms: ${step}`);
  const tellOf = (request: Request, step: string) => request.isNavigationRequest() && tell(`${step} ${request.url()}`);
  page.on("request", (request) => tellOf(request, request.method()));
  page.on("response", (response) => tellOf(response.request(), `${response.status()} from`));
  page.on("requestfailed", (request) => tellOf(request, `${request.failure()?.errorText} from`));
  page.on("framenavigated", (frame) => tell(`at ${frame.url()}`));
  page.on("pageerror", (error) => tell(`${error}`));
  return async () => {
    tell("the test has failed");
    const shown = page.evaluate(() => `${location.href}\n${document.body?.innerText}`).catch(String);
    const late = setTimeout(PATIENCE, "It does not say what it shows.");
    return [...steps.slice(-TOLD), await Promise.race([shown, late])].join("\n");
  };
}
