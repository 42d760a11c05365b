// Scrolls the chosen tab of a long row into view while the page is read, before it is first shown: where the page's scripts
// did it, the other tabs would move under somebody's pointer. CSS says it by `scroll-initial-target`, which few browsers know.

/** Runs before anything else on the page. It is not compiled, so it is written for old browsers too. */
const SHOW = `(() => {
  const show = () => {
    for (const tab of document.querySelectorAll(".language-tabs [aria-selected=true]")) {
      const list = tab.parentElement;
      const own = tab.getBoundingClientRect();
      const room = list.getBoundingClientRect();
      if (own.left >= room.left && own.right <= room.right) continue;
      list.scrollBy({ left: own.left + own.width / 2 - room.left - room.width / 2 });
    }
  };
  const reading = new MutationObserver(show);
  reading.observe(document.body, { childList: true, subtree: true });
  document.addEventListener("DOMContentLoaded", () => {
    reading.disconnect();
    show();
  });
})();`;

/** @param nonce of the page's policy */
export function FirstView({ nonce }: { nonce: string | undefined }) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: a constant of this file
  return <script nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: SHOW }} />;
}
