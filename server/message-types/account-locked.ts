import { noticeType } from "./notice";

/** The account was locked, which only administrators do. */
export const accountLocked = noticeType("account_locked", false);
