// Next serves the pages after sign-in and shows the URL space under app/. It runs inside of our own listener
// (server/main.ts), or owns the socket itself (`next start`: instrumentation.ts, server/process/hosted.ts).

/** Set by scripts/build.mjs, which makes the bundle of the service at the same time. */
const BUNDLED_ELSEWHERE = "SERVICE_BUNDLED_ELSEWHERE";

/** @type {import("next").NextConfig} */
const config = {
  // A page is loaded when it is asked for first: a start needs 10 MB and a third of a second less.
  experimental: { preloadEntriesOnStart: false },
  poweredByHeader: false,
  // A page has its title from the first byte, and keeps it while its data are read anew. Streamed behind the page it is missing
  // for a moment, in which a screen reader says none (WCAG 2.4.2).
  htmlLimitedBots: /^/,
  // The answers of the route handlers are the application's, byte for byte the same as without Next in front.
  compress: false,
  generateEtags: false,
  skipTrailingSlashRedirect: true,
  // Storage never enters Next's bundle (see server/service/service.ts); should it, its native parts stay outside.
  serverExternalPackages: ["better-sqlite3", "@node-rs/argon2", "pino"],
  // No resizing of images on demand: it is work that a stranger could order.
  images: { unoptimized: true },
  // `npm test` checks the types of everything; a start does not wait for it.
  typescript: { ignoreBuildErrors: true },
  headers: async () => [
    { source: "/_next/static/:path*", headers: [{ key: "x-content-type-options", value: "nosniff" }] },
  ],
  turbopack: {
    root: import.meta.dirname,
    resolveAlias: {
      // All that next-intl's own plugin would do here, without what that loads at every start.
      "next-intl/config": "./messages/request.ts",
      // No style attributes in the HTML, which the policy of the page refuses.
      "@base-ui/utils/visuallyHidden": "./components/console/parts/visually-hidden.ts",
    },
  },
};

/** `next build` alone makes the bundle of the service, too. @param {string} phase */
export default async function configOf(phase) {
  if (phase === "phase-production-build" && process.env[BUNDLED_ELSEWHERE] === undefined) {
    process.env[BUNDLED_ELSEWHERE] = "by this process"; // Next's own processes read this file as well
    const { ensureBundled } = await import("./scripts/build.mjs");
    await ensureBundled();
  }
  return config;
}
