// Lets Next.js start when the page's scripts are loaded. If it started earlier, React would render the frame thousands
// of times on a slow connection: each attempt ends at a component that is not loaded yet and schedules another one.

declare global {
  interface Window {
    /** The scripts that Next.js loads before it starts (next/script, `beforeInteractive`). */
    __next_s?: { length: number; reduce(): Promise<void> };
  }
}

/** A script of the page; see PageScript. */
export function startWhenLoaded(): void {
  const loaded = new Promise<void>((resolve) => {
    addEventListener("load", () => resolve());
    setTimeout(resolve, 5_000); // a picture that does not arrive must not keep the page from working
  });
  window.__next_s = { length: 1, reduce: () => loaded };
}
