// Next serves the pages after sign-in and shows the URL space under app/. It runs inside of our own listener
// (server/main.ts), or owns the socket itself (`next start`: instrumentation.ts, server/process/hosted.ts).

/** Set by scripts/build.mjs, which makes the bundle of the service at the same time. */
const BUNDLED_ELSEWHERE = "SERVICE_BUNDLED_ELSEWHERE";

/** @type {import("next").NextConfig} */
const config = {
  // Loads a page when it is first requested: a start saves 10 MB and a third of a second.
  experimental: {
    preloadEntriesOnStart: false,
    // In development, a page that reads its data again would wait forever for debug data on Next's own socket.
    reactDebugChannel: false,
    // A page that was read ahead is shown for 30 seconds, the least that Next.js allows.
    staleTimes: { static: 30, dynamic: 0 },
  },
  poweredByHeader: false,
  // Sends the title with the first bytes of a page, and keeps it while its data are read again. If it were streamed, a
  // screen reader would announce none for a moment (WCAG 2.4.2).
  htmlLimitedBots: /^/,
  // The responses of the route handlers are those of the application, byte for byte the same as without Next.
  compress: false,
  generateEtags: false,
  skipTrailingSlashRedirect: true,
  // Storage is not part of Next's bundle (see server/service/service.ts); if it were, its native parts would stay
  // outside.
  serverExternalPackages: ["better-sqlite3", "@node-rs/argon2", "pino"],
  // No resizing of images on demand, which would let anyone cause work.
  images: { unoptimized: true },
  // `npm test` checks the types; a start does not wait for it.
  typescript: { ignoreBuildErrors: true },
  headers: async () => [
    { source: "/_next/static/:path*", headers: [{ key: "x-content-type-options", value: "nosniff" }] },
  ],
  turbopack: {
    root: import.meta.dirname,
    resolveAlias: {
      // The only effect of next-intl's own plugin that is needed here, without the modules that it loads at every
      // start.
      "next-intl/config": "./messages/request.ts",
      // No style attributes in the HTML, which the policy of the page blocks.
      "@base-ui/utils/visuallyHidden": "./components/console/parts/visually-hidden.ts",
    },
  },
};

/** Returns the configuration. `next build` without `npm run build` bundles the service, too. @param {string} phase */
export default async function configOf(phase) {
  if (phase === "phase-production-build" && process.env[BUNDLED_ELSEWHERE] === undefined) {
    process.env[BUNDLED_ELSEWHERE] = "by this process"; // Next's own processes read this file as well
    const { ensureBundled } = await import("./scripts/build.mjs");
    await ensureBundled();
  }
  return config;
}
