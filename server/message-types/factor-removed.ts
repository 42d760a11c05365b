import { noticeType } from "./notice";

/** A second factor or passkey was removed. */
export const factorRemoved = noticeType("factor_removed");
