/** Samples of the second factor pages, for editors of their texts. */
import type { FactorError } from "../../../components/login/second-factor-page";
import type { FactorOffer } from "../../../components/login/set-up-factor-page";
import type { CodeWay } from "../../protocol/second-factor";
import * as pages from "../login/second-factor-pages";
import { NOWHERE, type Render, type SamplePage, type SampleValues, statesOf } from "./sample-page";

const aboutOf = ({ appName, loginName, organizationName }: SampleValues) => {
  return { flow: "", loginName, notYouHref: NOWHERE, appName, organizationName };
};
const others = (["passkey", "totp", "email", "sms", "recovery"] as const).map((way) => ({ way, href: NOWHERE }));
const passkey = { action: NOWHERE, fields: {}, options: "{}" };
/** The example secret of the otpauth URI specification; it is not used by any account. */
const SECRET = "JBSWY3DPEHPK3PXP";
const URI = `otpauth://totp/Example:ada@example.com?secret=${SECRET}&issuer=Example`;

const code =
  (way: CodeWay, error?: FactorError, sent = true): Render =>
  (frame, values) => {
    const to = way === "sms" ? values.phone : values.email;
    const sender = way === "email" ? values.sender : undefined;
    const channel = way === "email" || way === "sms" ? { kind: way, to, sent, action: NOWHERE, sender } : undefined;
    const rest = others.filter((other) => other.way !== way);
    return pages.codePage({ ...aboutOf(values), way, action: NOWHERE, others: rest, error, channel }, frame);
  };

const authenticatorApp =
  (error?: "missing" | "wrong" | "too-many"): Render =>
  (frame, { appName, organizationName }) => {
    const props = { action: NOWHERE, fields: {}, secret: SECRET, uri: URI, maximumNameLength: 60, organizationName };
    return pages.authenticatorAppPage({ ...props, appName, error }, frame);
  };

const setUp =
  (demanded: boolean): Render =>
  (frame, values) => {
    const offers = [
      { page: "app", href: NOWHERE },
      { page: "passkey", href: NOWHERE },
      { kind: "email", to: values.email, action: NOWHERE },
    ] satisfies FactorOffer[];
    return pages.setUpFactorPage({ ...aboutOf(values), demanded, laterAction: NOWHERE, offers }, frame);
  };

const newPasskey =
  (isRefused: boolean): Render =>
  (frame, { organizationName }) =>
    pages.newPasskeyPage({ ...passkey, refused: isRefused, organizationName }, frame);

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
      (frame, values) => pages.passkeyPage({ ...aboutOf(values), ...passkey, others, refused: false }, frame),
    ],
    none: ["secondFactor.none", (frame, values) => pages.noWayPage(aboutOf(values), frame)],
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
    "": [undefined, newPasskey(false)],
    refused: ["passkey.notAdded", newPasskey(true)],
  }),
  {
    id: "offer-passkey",
    title: "passkeyOffer.title",
    render(frame, values) {
      const later = { laterAction: NOWHERE, laterFields: {} };
      return pages.offerPasskeyPage({ ...aboutOf(values), ...passkey, ...later }, frame);
    },
  },
  {
    id: "recovery-codes",
    title: "recoveryCodes.title",
    render(frame, { organizationName }) {
      const codes = Array.from({ length: 10 }, (_, index) => `ABCD-EFG${index}`);
      return pages.recoveryCodesPage({ codes, action: NOWHERE, fields: {}, organizationName }, frame);
    },
  },
];
