// When there was one page of the API, everything had an anchor on it. On the entrance those of operations stand beside them in
// the list, from where this script leads on; it knows where schemas are, and has the rest searched for.
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
