import { noticeType } from "./notice";

/** A sign-in with a browser that the person had not used. */
export const newDevice = noticeType("new_device");
