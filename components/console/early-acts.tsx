"use client";
// What somebody does before the scripts of the page run, on a slow line, is done once they do: the last button pressed is
// pressed again. Above all a form that only a script can send does not go out as an address: what was typed, a secret
// among it, would stand in the query, the history and the logs.
import { useEffect } from "react";

/** Runs before anything else of the page; written for every browser, not compiled. */
const KEEP = `(() => {
  let last;
  const keep = (event) => {
    const isSubmit = event.type === "submit";
    const act = isSubmit ? event.target : event.target.closest("button[type=button]");
    if (!act || (isSubmit && act.hasAttribute("action"))) return;
    event.preventDefault();
    last = isSubmit ? () => act.requestSubmit(event.submitter) : () => act.click();
  };
  document.addEventListener("click", keep, true);
  document.addEventListener("submit", keep, true);
  window.doEarlyActs = () => {
    document.removeEventListener("click", keep, true);
    document.removeEventListener("submit", keep, true);
    if (last) last();
    last = undefined;
  };
})();`;

declare global {
  interface Window {
    doEarlyActs?(): void;
  }
}

/** @param nonce of the page's policy */
export function EarlyActs({ nonce }: { nonce: string | undefined }) {
  useEffect(() => window.doEarlyActs?.(), []);
  // biome-ignore lint/security/noDangerouslySetInnerHtml: a constant of this file
  return <script nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: KEEP }} />;
}
