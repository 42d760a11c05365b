// Called by Next once in each of its processes, before the first request. Where our own listener runs Next (npm start),
// the service exists already; under `next start` it is begun here, from the same bundle (dist/), so that nothing of it
// enters Next's.
import { isPublished } from "./server/service/service";

export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== "nodejs" || isPublished()) return;
  if (process.env.NODE_ENV === "development") throw new Error("For development run npm run dev instead of next dev.");
  // Found from this file, wherever it was started; Next's bundler keeps it out of its own (turbopackIgnore).
  const bundle = import.meta.url.replace(/[^/]*$/, "dist/hosted.mjs");
  await import(/* turbopackIgnore: true */ bundle);
}
