import { describe, expect, it } from "vitest";
import type { SignInProps } from "../../../components/login/sign-in-page";
import { locales } from "../../../messages/locales";
import { randomSecret } from "../../crypto/random";
import { brandOf } from "../../directory/branding/branding";
import { builtIn } from "../../directory/policy/built-in";
import { frameOf, signInSample } from "../../testing/page-samples";
import { type EncodedPage, keepPages } from "./cached-page";
import { languageForm } from "./language-form";
import { signInPage } from "./public-pages";
import type { PageFrame } from "./render";

/** Returns a visit: its sealed values and where they are used. */
function visit(more: Partial<SignInProps> = {}, locale: "en" | "ar" = "en") {
  const [flow, other, challenge] = [randomSecret(), randomSecret(), randomSecret()];
  const props: SignInProps = {
    ...signInSample,
    flow,
    forgotPasswordHref: `/login/forgot-password?flow=${flow}`,
    ...more,
    passkey: { action: "/login/passkey", fields: { flow: other }, options: JSON.stringify({ challenge, timeout: 1 }) },
  };
  const frame = { ...frameOf(locale), languages: languageForm(`/login?flow=${flow}`) };
  return { props, frame, sealed: [flow, other, challenge] };
}

function counted() {
  const made = { pages: 0 };
  const kept = keepPages((props: SignInProps, frame: PageFrame) => {
    made.pages++;
    return signInPage(props, frame);
  });
  return { made, kept };
}

/** Returns the page as a browser decodes it. */
const shown = (page: EncodedPage) => ({ ...page, html: page.html.toString() });

describe("A cached page", () => {
  it("is identical to the page that would have been rendered for each visit", () => {
    const { made, kept } = counted();
    for (const locale of ["en", "ar", "en", "ar"] as const) {
      const { props, frame, sealed } = visit({}, locale);
      expect(shown(kept(props, frame, sealed))).toEqual(signInPage(props, frame));
    }
    expect(made.pages).toBe(2);
  });

  it("is a separate one if any other value differs", () => {
    const { made, kept } = counted();
    const usual = visit();
    const brand = brandOf({ ...builtIn.label, primaryColor: "#aa0000" });
    const visits = [
      usual,
      visit({ appName: "Other" }),
      visit({ createAccountHref: undefined }),
      { ...usual, frame: { ...usual.frame, formActionOrigin: "https://other.test" } },
      { ...usual, frame: { ...usual.frame, brand } },
      ...[2, 3].map((count) => {
        const languages = { ...languageForm("/login"), offered: locales.slice(0, count) };
        return { ...usual, frame: { ...usual.frame, languages } };
      }),
    ];
    for (const { props, frame, sealed } of visits) {
      expect(shown(kept(props, frame, sealed))).toEqual(signInPage(props, frame));
    }
    expect(made.pages).toBe(visits.length);
  });

  it("contains nothing of the first visitor", () => {
    const { kept } = counted();
    const first = visit();
    kept(first.props, { ...first.frame, requestId: "request-of-the-first" }, first.sealed);
    const { props, frame, sealed } = visit();
    const { html } = shown(kept(props, frame, sealed));
    for (const secret of [...first.sealed, "request-of-the-first"]) expect(html).not.toContain(secret);
  });

  it("is left to the renderer where a value to fill in could be read as HTML", () => {
    const { kept } = counted();
    const flow = `"><script>alert(1)</script>`;
    const { props, frame } = visit({ flow });
    expect(shown(kept(props, frame, [flow]))).toEqual(signInPage(props, frame));
  });

  it("is dropped when too many other pages are cached", () => {
    const { made, kept } = counted();
    const usual = visit();
    kept(usual.props, usual.frame, usual.sealed);
    for (let n = 0; n < 200; n++) {
      const { props, frame, sealed } = visit({ appName: `App ${n}` });
      kept(props, frame, sealed);
    }
    kept(usual.props, usual.frame, usual.sealed);
    expect(made.pages).toBe(202);
  });
});
