// A script that runs while the page is parsed, before those of the page itself.

export interface PageScriptProps {
  /** Sent to the browser as its own source, so it may only use its own variables and what browsers have. */
  run(): void;
  /** The nonce of the page's Content-Security-Policy. */
  nonce: string | undefined;
}

export function PageScript({ run, nonce }: PageScriptProps) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: the source of a function of ours
  return <script nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: `(${run})()` }} />;
}
