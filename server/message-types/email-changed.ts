import { noticeType } from "./notice";

/** The e-mail address was changed; also for the old address, whose owner may be the one who was robbed. */
export const emailChanged = noticeType("email_changed");
