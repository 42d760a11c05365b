import { noticeType } from "./notice";

/** A second factor or passkey was added. */
export const factorAdded = noticeType("factor_added");
