// The pages of second factors in every state.
import type { FactorError } from "../../components/login/second-factor-page";
import type { FactorOffer } from "../../components/login/set-up-factor-page";
import type { CodeWay } from "../protocol/second-factor";
import * as pages from "../web/login/second-factor-pages";
import type { PageFrame, PageResponse } from "../web/pages/render";

type Render = (frame: PageFrame) => PageResponse;

const ways: CodeWay[] = ["totp", "email", "recovery"];
const errors: (FactorError | undefined)[] = [undefined, "missing", "wrong", "blocked", "too-many-mails"];

/** Returns the pages. @param hostile the value of every text that users choose */
export function factorPages(hostile: string): Record<string, Render> {
  const about = { flow: "sealed", loginName: hostile, organizationName: hostile };
  const others = (["passkey", ...ways] as const).map((way) => ({ way, href: `/login/mfa?flow=sealed&way=${way}` }));
  const app = {
    action: "/login/mfa/set-up/app/submit",
    fields: { flow: "sealed", enrolment: "sealed" },
    secret: "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP",
    uri: "otpauth://totp/ACME:ada?issuer=ACME&secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP",
    name: hostile,
    maximumNameLength: 60,
  };
  const code = (way: CodeWay, error: FactorError | undefined, sent: boolean): Render => {
    const channel =
      way === "email" ? { kind: way, to: hostile, sent, action: "/login/mfa/send", sender: hostile } : undefined;
    return (f) => pages.codePage({ ...about, way, action: "/login/mfa/submit", others, error, channel }, f);
  };
  const codes = Array.from({ length: 10 }, (_, index) => `ABCD-EFG${index}`);
  const setUp = {
    ...about,
    laterAction: "/login/mfa/set-up/later",
    offers: [
      { page: "app", href: "/login/mfa/set-up/app?flow=sealed" },
      { page: "passkey", href: "/login/mfa/set-up/passkey?flow=sealed" },
      { kind: "email", to: hostile, action: "/login/mfa/set-up/email" },
    ] satisfies FactorOffer[],
  };
  const passkey = {
    action: "/login/mfa/passkey",
    fields: { flow: "sealed" },
    options: JSON.stringify({ rp: hostile }),
  };
  return {
    ...Object.fromEntries(
      [true, false].flatMap((refused) => [
        [`passkey: ${refused}`, (f: PageFrame) => pages.passkeyPage({ ...about, ...passkey, others, refused }, f)],
        [`new passkey: ${refused}`, (f: PageFrame) => pages.newPasskeyPage({ ...passkey, refused }, f)],
      ]),
    ),
    ...Object.fromEntries(
      ways.flatMap((way) => errors.map((error) => [`second factor: ${way} ${error ?? ""}`, code(way, error, true)])),
    ),
    "second factor: email, not sent": code("email", undefined, false),
    "second factor: none left": (f) => pages.noWayPage(about, f),
    "a passkey, offered": (f) =>
      pages.offerPasskeyPage({ ...about, ...passkey, laterAction: "/login/mfa/set-up/later", laterFields: about }, f),
    "set up a second factor": (f) => pages.setUpFactorPage({ ...setUp, demanded: false }, f),
    "set up a second factor, demanded": (f) => pages.setUpFactorPage({ ...setUp, demanded: true }, f),
    ...Object.fromEntries(
      ([undefined, "missing", "wrong", "too-many"] as const).map((error) => [
        `authenticator app: ${error ?? ""}`,
        (f: PageFrame) => pages.authenticatorAppPage({ ...app, error }, f),
      ]),
    ),
    "recovery codes": (f) => pages.recoveryCodesPage({ codes, action: "/login/mfa/continue", fields: about }, f),
  };
}
