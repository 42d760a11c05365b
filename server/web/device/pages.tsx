// Renders the device pages: from values to status, headers and HTML.
import {
  DEVICE_OUTCOMES,
  DeviceCodePage,
  type DeviceCodeProps,
  DeviceConfirmPage,
  type DeviceConfirmProps,
  DeviceDonePage,
  type DeviceOutcome,
} from "../../../components/login/device-pages";
import { PAGE_SCRIPT } from "../../../components/login/page-script";
import { type PageFrame, type PageResponse, refusedIf, renderPage, throttledIf } from "../pages/render";

/** Returns the page: 422 for a wrong code, 429 with Retry-After while throttled. */
export function deviceCodePage(props: DeviceCodeProps, frame: PageFrame): PageResponse {
  return renderPage(frame, (t) => ({
    ...refusedIf(props.error !== undefined),
    ...throttledIf(props.error === "throttled", props.retryAfterMinutes),
    script: PAGE_SCRIPT,
    title: t("device.title"),
    body: <DeviceCodePage t={t} locale={frame.locale} {...props} />,
  }));
}

export function deviceConfirmPage(props: DeviceConfirmProps, frame: PageFrame): PageResponse {
  return renderPage(frame, (t) => ({
    script: PAGE_SCRIPT,
    title: t("device.question"),
    organizationName: props.organizationName,
    body: <DeviceConfirmPage t={t} locale={frame.locale} {...props} />,
  }));
}

/** Returns the final page with a fixed text; 410 if the code no longer works. */
export function deviceDonePage(outcome: DeviceOutcome, frame: PageFrame): PageResponse {
  return renderPage(frame, (t) => ({
    status: outcome === "too-late" ? 410 : 200,
    title: t(DEVICE_OUTCOMES[outcome].title),
    hasError: outcome === "too-late" || outcome === "not-admitted",
    body: <DeviceDonePage t={t} outcome={outcome} againHref="/device" />,
  }));
}
