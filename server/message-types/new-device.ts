import { noticeType } from "./notice";

/** A sign-in with a browser that the user had not used before. */
export const newDevice = noticeType("new_device");
