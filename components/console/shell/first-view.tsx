// Scrolls the selected tab of a long row into view while the page is parsed, before the first paint. Doing it in the
// page's scripts would move other tabs under the user's pointer. The CSS property `scroll-initial-target` does the
// same, but few browsers support it.

/** Runs before anything else on the page. It is not compiled, so its syntax must work in old browsers. */
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

/**
 * The script element.
 * @param nonce the nonce of the page's Content-Security-Policy
 */
export function FirstView({ nonce }: { nonce: string | undefined }) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: a constant of this file
  return <script nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: SHOW }} />;
}
