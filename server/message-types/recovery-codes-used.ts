import { noticeType } from "./notice";

/** The last recovery code was used. */
export const recoveryCodesUsed = noticeType("recovery_codes_used");
