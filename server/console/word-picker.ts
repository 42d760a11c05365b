/**
 * Serves a page for a frame in which each word can be clicked. Its words are untrusted, so it has an opaque origin,
 * loads only pictures, and cannot send or open anything; its only script is ours, allowed by its hash. The script
 * reports to the console which word was clicked, and marks the word that is being edited (attack: a word with markup).
 */
import type { Http } from "../http/env";
import { contentHash } from "../web/pages/headers";

const SCRIPT = `(() => {
const wordOf = (target) =>
  (target.closest?.("[data-word],[data-fixed]") ?? target.querySelector?.("[data-word],[data-fixed]"))?.dataset;
const tell = (event) => {
  event.preventDefault();
  const found = wordOf(event.target);
  if (found) parent.postMessage(found.word ? { word: found.word } : { fixed: found.fixed }, "*");
};
for (const element of document.querySelectorAll("a,button,input,select,textarea,summary")) element.tabIndex = -1;
for (const element of document.querySelectorAll("[data-word]")) {
  element.tabIndex = 0;
  if (!element.matches("a,button,input,select,textarea,summary")) element.setAttribute("role", "button");
}
addEventListener("click", tell, true);
addEventListener("submit", (event) => event.preventDefault(), true);
addEventListener("keydown", (event) => {
  if (event.key === "Enter" || event.key === " ") tell(event);
}, true);
addEventListener("message", (event) => {
  if (event.source !== parent) return;
  for (const element of document.querySelectorAll("[data-chosen]")) delete element.dataset.chosen;
  const chosen = [...document.querySelectorAll("[data-word]")].filter(({ dataset }) => dataset.word === event.data?.word);
  for (const element of chosen) element.dataset.chosen = "";
  chosen[0]?.scrollIntoView({ block: "nearest" });
});
})();`;

const STYLE = `
[data-word]{cursor:pointer;border-radius:3px}
span[data-word]{text-decoration:underline dotted 1px;text-underline-offset:.25em}
[data-word]:hover{outline:2px dashed currentColor;outline-offset:2px}
[data-word]:focus-visible,[data-chosen]{outline:3px solid currentColor;outline-offset:2px}
[data-fixed]{cursor:help}
`;

const POLICY = [
  "default-src 'none'",
  `script-src ${contentHash(SCRIPT)}`,
  "style-src 'unsafe-inline'", // the page's own styles, and the marks
  "img-src 'self' data:", // an organization's logo
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'self'",
  "sandbox allow-scripts",
].join("; ");

/**
 * Returns the page.
 * @param html a complete document without scripts (web/preview)
 */
export function wordPickerAnswer(http: Http, html: string): Response {
  // Replacement functions, because `$&` in a string would be interpreted.
  const document = html
    .replace("</head>", () => `<style>${STYLE}</style></head>`)
    .replace("</body>", () => `<script>${SCRIPT}</script></body>`);
  return http.body(document, 200, {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "SAMEORIGIN",
    "referrer-policy": "no-referrer",
    "cache-control": "private, no-store",
  });
}
