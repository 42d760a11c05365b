import { noticeType } from "./notice";

/** The phone number was changed. */
export const phoneChanged = noticeType("phone_changed");
