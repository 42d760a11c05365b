// Scrolls the selected tab of a long row into view while the page is parsed, before the first paint. Doing it in the
// page's scripts would move other tabs under the user's pointer. Browsers with `scroll-initial-target` do the same by
// the style sheet, without an additional layout of half a page.

declare global {
  interface Window {
    showSelectedTabs?(): void;
  }
}

/** A script of the page; see PageScript. It leaves its function for the pages that are shown later. */
export function showSelectedTabs(): void {
  const show = () => {
    for (const tab of document.querySelectorAll(".language-tabs [aria-selected=true]")) {
      const list = tab.parentElement;
      if (!list) continue;
      const own = tab.getBoundingClientRect();
      const room = list.getBoundingClientRect();
      if (own.left >= room.left && own.right <= room.right) continue;
      list.scrollBy({ left: own.left + own.width / 2 - room.left - room.width / 2 });
    }
  };
  window.showSelectedTabs = show;
  if (CSS.supports("scroll-initial-target", "nearest")) return;
  const reading = new MutationObserver(() => {
    // Only when the row is complete: the browser lays the page out to tell where something is.
    if (!document.querySelector(".languages-of-text + *")) return;
    reading.disconnect();
    show();
  });
  reading.observe(document.body, { childList: true, subtree: true });
  document.addEventListener("DOMContentLoaded", () => {
    reading.disconnect();
    show();
  });
}
