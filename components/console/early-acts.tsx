"use client";
// If somebody uses the page before its scripts run, on a slow connection, the last pressed button is pressed again when
// they do. Most of all this keeps forms that only a script can send from being sent by the browser: what was typed,
// perhaps a secret, would end up in the address, the history and the logs.
import { useEffect } from "react";

/** Runs before anything else on the page. It is not compiled, so it is written for old browsers too. */
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
