/** Samples of the second factor pages, for editors of their texts. */
import type { FactorError } from "../../../components/login/second-factor-page";
import type { CodeWay } from "../../protocol/second-factor";
import * as pages from "../login/second-factor-pages";
import { NOWHERE, type Render, SAMPLE_APP, SAMPLE_PERSON, type SamplePage, statesOf } from "./sample-page";

const { loginName, email, phone } = SAMPLE_PERSON;
const about = { flow: "", loginName, notYouHref: NOWHERE, appName: SAMPLE_APP };
const others = (["passkey", "totp", "email", "sms", "recovery"] as const).map((way) => ({ way, href: NOWHERE }));
const passkey = { action: NOWHERE, fields: {}, options: "{}" };
/** The example secret of the otpauth URI specification; it is not used by any account. */
const SECRET = "JBSWY3DPEHPK3PXP";

const code =
  (way: CodeWay, error?: FactorError, sent = true): Render =>
  (frame, organizationName) => {
    const to = way === "sms" ? phone : email;
    const channel =
      way === "email" || way === "sms"
        ? { kind: way, to, sent, action: NOWHERE, sender: way === "email" ? "noreply@example.com" : undefined }
        : undefined;
    const rest = others.filter((other) => other.way !== way);
    return pages.codePage({ ...about, way, action: NOWHERE, others: rest, error, channel, organizationName }, frame);
  };

const authenticatorApp =
  (error?: "missing" | "wrong" | "too-many"): Render =>
  (frame, organizationName) => {
    const uri = `otpauth://totp/Example:${loginName}?secret=${SECRET}&issuer=Example`;
    const props = { action: NOWHERE, fields: {}, secret: SECRET, uri, maximumNameLength: 60, organizationName };
    return pages.authenticatorAppPage({ ...props, appName: SAMPLE_APP, error }, frame);
  };

const setUp =
  (demanded: boolean): Render =>
  (frame, organizationName) =>
    pages.setUpFactorPage(
      {
        ...about,
        demanded,
        laterAction: NOWHERE,
        offers: [
          { page: "app", href: NOWHERE },
          { page: "passkey", href: NOWHERE },
          { kind: "email", to: email, action: NOWHERE },
        ],
        organizationName,
      },
      frame,
    );

export const factorSamples: readonly SamplePage[] = [
  ...statesOf("second-factor", "secondFactor.title", {
    app: ["secondFactor.totp", code("totp")],
    "app-missing": ["secondFactor.missing", code("totp", "missing")],
    "app-wrong": ["secondFactor.wrongTotp", code("totp", "wrong")],
    blocked: ["secondFactor.blocked", code("totp", "blocked")],
    "send-email": ["secondFactor.emailSend", code("email", undefined, false)],
    email: ["secondFactor.email", code("email")],
    sms: ["secondFactor.sms", code("sms")],
    "email-wrong": ["secondFactor.wrong", code("email", "wrong")],
    "email-many": ["secondFactor.tooManyMails", code("email", "too-many-mails")],
    recovery: ["secondFactor.recovery", code("recovery")],
    passkey: [
      "secondFactor.passkey",
      (frame, organizationName) =>
        pages.passkeyPage({ ...about, ...passkey, others, refused: false, organizationName }, frame),
    ],
    none: ["secondFactor.none", (frame, organizationName) => pages.noWayPage({ ...about, organizationName }, frame)],
  }),
  ...statesOf("set-up-factor", "setUpFactor.title", {
    "": ["setUpFactor.demanded", setUp(true)],
    suggested: ["setUpFactor.suggested", setUp(false)],
  }),
  ...statesOf("authenticator-app", "authenticatorApp.title", {
    "": [undefined, authenticatorApp()],
    wrong: ["secondFactor.wrongTotp", authenticatorApp("wrong")],
    many: ["authenticatorApp.tooMany", authenticatorApp("too-many")],
  }),
  ...statesOf("add-passkey", "passkey.addTitle", {
    "": [
      undefined,
      (frame, organizationName) => pages.newPasskeyPage({ ...passkey, refused: false, organizationName }, frame),
    ],
    refused: [
      "passkey.notAdded",
      (frame, organizationName) => pages.newPasskeyPage({ ...passkey, refused: true, organizationName }, frame),
    ],
  }),
  {
    id: "offer-passkey",
    title: "passkeyOffer.title",
    render(frame, organizationName) {
      const later = { laterAction: NOWHERE, laterFields: {} };
      return pages.offerPasskeyPage({ ...about, ...passkey, ...later, organizationName }, frame);
    },
  },
  {
    id: "recovery-codes",
    title: "recoveryCodes.title",
    render(frame, organizationName) {
      const codes = Array.from({ length: 10 }, (_, index) => `ABCD-EFG${index}`);
      return pages.recoveryCodesPage({ codes, action: NOWHERE, fields: {}, organizationName }, frame);
    },
  },
];
