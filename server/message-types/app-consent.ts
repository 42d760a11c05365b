import { noticeType } from "./notice";

/** Consent to an application of another organization. */
export const appConsent = noticeType("app_consent");
