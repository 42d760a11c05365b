// While a link to a page of the console is pressed, a browser that knows speculation rules fetches the page already, which is
// there when the button is released. Not before: each page costs the service work, and is as old as its request. What must
// leave no trace answers no such request (server/console/gate.ts). Others, and those that save data, do without.

const PAGES = ["/console", "/console\\?*", "/console/*", "/console/*\\?*"];
/** Addresses that are no pages, or act. */
const OTHERS = ["sign-in", "sign-out", "callback", "api"].map((name) => `/console/${name}*`);

const RULES = JSON.stringify({
  prefetch: [
    {
      where: { and: [{ href_matches: PAGES }, { not: { href_matches: OTHERS } }] },
      eagerness: "conservative",
    },
  ],
});

/** @param nonce that of the page's Content-Security-Policy, which an inline script needs (CSP Level 3 §6.7) */
export function Prefetch({ nonce }: { nonce: string | undefined }) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: a constant
  return <script type="speculationrules" nonce={nonce} dangerouslySetInnerHTML={{ __html: RULES }} />;
}
