import { noticeType } from "./notice";

/** The account was locked. */
export const accountLocked = noticeType("account_locked");
