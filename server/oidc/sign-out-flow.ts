/** The state that a sign-out carries from page to page, sealed like that of a sign-in. */

/** A sign-out that the user has not confirmed yet. */
export interface SignOutFlow {
  kind: "sign-out";
  startedAt: number;
  uiLocales: string[];
  /** Checked against the registered URIs before it was sealed. */
  postLogoutRedirectUri?: string;
  /** The app that sent the request, if known. */
  clientId?: string;
}

/** A sign-out that has ended the sessions here, while the browser goes from one identity provider to the next. */
export interface SignedOutFlow {
  kind: "signed-out";
  startedAt: number;
  /** The sign-ins at providers that do not know of the sign-out yet. */
  providers: readonly string[];
  /** The validated address of the application. */
  redirectTo?: string;
  /** The language that the user chose. */
  chosen?: string;
}

/** What is left of it. */
export type SignedOutAfter = Omit<SignedOutFlow, "kind" | "startedAt">;
