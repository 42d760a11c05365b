// Stores this device's time zone, in which times are shown (server/http/time-zone.ts).
// biome-ignore lint/suspicious/noDocumentCookie: supported browsers may lack the Cookie Store API
document.cookie = `tz=${Intl.DateTimeFormat().resolvedOptions().timeZone}; path=/; max-age=31536000; samesite=lax`;
