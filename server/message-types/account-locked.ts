import { noticeType } from "./notice";

/** The account was locked, which only an administrator does. */
export const accountLocked = noticeType("account_locked", false);
