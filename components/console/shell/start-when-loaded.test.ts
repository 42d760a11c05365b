import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { startWhenLoaded } from "./start-when-loaded";

const page = new EventTarget();
beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("window", globalThis);
  vi.stubGlobal("self", globalThis);
  vi.stubGlobal("addEventListener", page.addEventListener.bind(page));
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it.each([
  ["when the page is loaded", () => page.dispatchEvent(new Event("load"))],
  ["when something of the page does not arrive", () => vi.advanceTimersByTime(5_000)],
])("Next.js starts %s, and not before", async (_, happens) => {
  const { appBootstrap } = await import("next/dist/client/app-bootstrap"); // needs a window
  const start = vi.fn();
  startWhenLoaded();
  appBootstrap(start);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(start).not.toHaveBeenCalled();
  happens();
  await vi.advanceTimersByTimeAsync(0);
  expect(start).toHaveBeenCalledOnce();
});
