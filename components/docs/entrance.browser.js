// Redirects anchors from the time when the API had one page. The anchors of operations are in the list of this page;
// the script follows their links, knows the page of schemas, and searches for all other anchors.
(() => {
  const anchor = decodeURIComponent(location.hash.slice(1));
  if (anchor === "") return;
  const entry = document.getElementById(anchor);
  if (entry) {
    const link = entry.matches(".index li") && entry.querySelector("a");
    if (link) location.replace(link.href);
  } else if (anchor.startsWith("schema-")) {
    location.replace(`/docs/api/schemas/${encodeURIComponent(anchor.slice(7))}`);
  } else if (/[_A-Z-]/.test(anchor)) {
    location.replace(`/docs/api/search?q=${encodeURIComponent(anchor)}`);
  }
})();
