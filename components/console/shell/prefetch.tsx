// Speculation rules that prefetch a page of the console while its link is pressed. Prefetching earlier would cost
// server work for each page and show older data. Pages whose request must leave no trace reject prefetches
// (server/console/gate.ts). Browsers without support, and those that save data, do not prefetch.

const PAGES = ["/console", "/console\\?*", "/console/*", "/console/*\\?*"];
/** Addresses that are not pages, or that have side effects. */
const OTHERS = ["sign-in", "sign-out", "callback", "api"].map((name) => `/console/${name}*`);

const RULES = JSON.stringify({
  prefetch: [
    {
      where: { and: [{ href_matches: PAGES }, { not: { href_matches: OTHERS } }] },
      eagerness: "conservative",
    },
  ],
});

/**
 * The script element.
 * @param nonce the nonce of the page's Content-Security-Policy, required for inline scripts (CSP Level 3 §6.7)
 */
export function Prefetch({ nonce }: { nonce: string | undefined }) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: a constant
  return <script type="speculationrules" nonce={nonce} dangerouslySetInnerHTML={{ __html: RULES }} />;
}
