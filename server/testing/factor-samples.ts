// The states of the pages of second factors that the previews do not show.
import type { FactorError } from "../../components/login/second-factor-page";
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
  const passkey = {
    action: "/login/mfa/passkey",
    fields: { flow: "sealed" },
    options: JSON.stringify({ rp: hostile }),
  };
  return {
    "passkey, refused": (f) => pages.passkeyPage({ ...about, ...passkey, others, refused: true }, f),
    ...Object.fromEntries(
      ways.flatMap((way) => errors.map((error) => [`second factor: ${way} ${error ?? ""}`, code(way, error, true)])),
    ),
    "second factor: email, not sent": code("email", undefined, false),
    "authenticator app: missing": (f) => pages.authenticatorAppPage({ ...app, error: "missing" }, f),
  };
}
