/** Samples of the pages of consent, devices, signing out and errors, for editors of their texts. */
import { DEVICE_OUTCOMES, type DeviceOutcome } from "../../../components/login/device-pages";
import { type ErrorKind, MESSAGES } from "../../../components/login/error-page";
import { disclosures } from "../../protocol/consent-required";
import * as devicePages from "../device/pages";
import * as pages from "../pages/public-pages";
import { NOWHERE, type Render, SAMPLE_TIME, type SamplePage, statesOf } from "./sample-page";

const about = { flow: "", action: NOWHERE };
const asked = { disclosures, projectScopes: [] };
/** An address for documentation, RFC 5737. */
const from = { device: "Chrome · Android", address: "203.0.113.7" };

const deviceCode =
  (error?: "missing-code" | "unknown-code" | "throttled"): Render =>
  (frame) =>
    devicePages.deviceCodePage({ action: NOWHERE, error, retryAfterMinutes: 3 }, frame);

const error =
  (kind: ErrorKind, usedAt?: number): Render =>
  (frame, { organizationName }) => {
    const host = { came: "id.example.net", configured: "id.example.com", href: NOWHERE };
    const received = { parameter: "redirect_uri", value: "https://app.example.com/callback" } as const;
    const details = {
      received,
      description: "redirect_uri",
      occurredAt: SAMPLE_TIME,
      usedAt,
      organizationName,
    };
    const repairHref = kind === "invalid-redirect-uri" ? NOWHERE : undefined;
    return pages.errorPage({ kind, host, ...details, startAgainHref: NOWHERE, repairHref }, frame);
  };

export const otherSamples: readonly SamplePage[] = [
  {
    id: "continue",
    title: "continuePage.title",
    render(frame, { appName, organizationName, displayName, loginName }) {
      const to = {
        destination: "app.example.com",
        policyUri: NOWHERE,
        termsUri: NOWHERE,
        lasts: "offline" as const,
        otherAccountHref: NOWHERE,
        organizationName,
      };
      return pages.continuePage({ ...about, appName, displayName, loginName, ...asked, ...to }, frame);
    },
  },
  ...statesOf("device", "device.title", {
    "": [undefined, deviceCode()],
    missing: ["device.missingCode", deviceCode("missing-code")],
    unknown: ["device.unknownCode", deviceCode("unknown-code")],
    throttled: ["device.throttled", deviceCode("throttled")],
    confirm: [
      "device.question",
      (frame, { appName, organizationName, displayName, loginName }) => {
        const names = { appName, displayName, loginName };
        const props = { ...about, ...names, ...asked, userCode: "WDJB-MJHT", ...from, organizationName };
        return devicePages.deviceConfirmPage(props, frame);
      },
    ],
  }),
  ...(Object.keys(DEVICE_OUTCOMES) as DeviceOutcome[]).map(
    (outcome): SamplePage => ({
      id: `device.${outcome}`,
      title: DEVICE_OUTCOMES[outcome].title,
      render: (frame) => devicePages.deviceDonePage(outcome, frame),
    }),
  ),
  {
    id: "sign-out",
    title: "logout.title",
    render(frame, { organizationName, displayName, loginName }) {
      const accounts = [{ displayName, loginName }];
      return pages.logoutPage({ action: NOWHERE, fields: {}, accounts, stayHref: NOWHERE, organizationName }, frame);
    },
  },
  ...statesOf("signed-out", "loggedOut.title", {
    "": [
      "loggedOut.backTo",
      (frame, { appName, organizationName }) =>
        pages.loggedOutPage({ backHref: NOWHERE, appName, organizationName }, frame),
    ],
    back: ["loggedOut.back", (frame) => pages.loggedOutPage({ backHref: NOWHERE }, frame)],
    again: ["loggedOut.again", (frame) => pages.loggedOutPage({ signInHref: NOWHERE }, frame)],
  }),
  {
    id: "form-post",
    title: "formPost.title",
    render: (frame) => pages.formPostPage({ redirectUri: "https://app.example.com/", fields: {} }, frame),
  },
  {
    id: "form-post.provider",
    title: "formPost.title",
    state: "formPost.providerExplanation",
    render: (frame) =>
      pages.formPostPage({ redirectUri: "https://idp.example.com/", fields: {}, provider: "Partner" }, frame),
  },
  ...(Object.keys(MESSAGES) as ErrorKind[]).map(
    (kind): SamplePage => ({
      id: `error.${kind}`,
      title: `${MESSAGES[kind]}.title`,
      render: error(kind),
    }),
  ),
  {
    id: "error.mailed-link.used",
    title: "error.mailedLink.title",
    state: "error.mailedLink.used",
    render: error("mailed-link", SAMPLE_TIME),
  },
  {
    id: "home",
    title: "home.title",
    render: (frame) => {
      return pages.homePage({ issuer: "https://id.example.com", discoveryHref: NOWHERE, needsSetup: false }, frame);
    },
  },
];
