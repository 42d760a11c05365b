// Says moments in the reader's own words and time zone: "tomorrow, 18:42". An element names its moment, and the part of
// its text that says it.
for (const element of document.querySelectorAll("[data-moment]")) {
  const { lang } = document.documentElement;
  if (!Intl.DateTimeFormat.supportedLocalesOf(lang)[0]) continue;
  const at = new Date(element.dateTime);
  const days = Math.round((new Date(at).setHours(0, 0, 0, 0) - new Date().setHours(0, 0, 0, 0)) / 86400000);
  const say = (options) => new Intl.DateTimeFormat(lang, options).format(at);
  // Without the day of the week, which could make the text longer than the one that it replaces.
  const day =
    days * days < 2
      ? new Intl.RelativeTimeFormat(lang, { numeric: "auto" }).format(days, "day")
      : say({ dateStyle: "long" });
  const words = new Intl.ListFormat(lang, { type: "unit", style: "short" }).format([day, say({ timeStyle: "short" })]);
  // A shorter text may need fewer lines: the paragraph keeps its height, so that nothing below it moves.
  const paragraph = element.parentElement;
  paragraph.style.minHeight = `${paragraph.getBoundingClientRect().height}px`;
  // A part in another language than the page has an element of its own.
  const part = element.querySelector("[lang]") ?? element;
  part.textContent = part.textContent.replace(element.dataset.moment, () => words);
}
