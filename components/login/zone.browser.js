// Times are shown as on this device's clock (server/http/time-zone.ts).
// biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is younger than the browsers people have
document.cookie = `tz=${Intl.DateTimeFormat().resolvedOptions().timeZone}; path=/; max-age=31536000; samesite=lax`;
