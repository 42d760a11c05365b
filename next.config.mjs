// Next serves the pages after sign-in and the URL space under app/. Our own node:http entry runs it (server/main.ts).

/** @type {import("next").NextConfig} */
export default {
  poweredByHeader: false,
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
  turbopack: {
    root: import.meta.dirname,
    // All that next-intl's own plugin would do here, without what that loads at every start.
    resolveAlias: { "next-intl/config": "./messages/request.ts" },
  },
};
