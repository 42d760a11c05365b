import { noticeType } from "./notice";

/** The email address was changed; also sent to the old address, whose owner may be the victim of a theft. */
export const emailChanged = noticeType("email_changed");
