// What the console shows for a text that it does not have: a stored value, such as the reason of an attempt to sign in,
// which a newer process wrote during an upgrade. Any other missing text is a bug.
import { type IntlError, IntlErrorCode } from "next-intl";

/** The keys that end in a stored value. */
const OF_VALUES = /^(?:\w+\.by\.\w+|states)\.(.+)$/;

export const onMissing = {
  onError(error: IntlError) {
    if (error.code !== IntlErrorCode.MISSING_MESSAGE) throw error;
  },
  getMessageFallback({ key, error }: { key: string; error: IntlError }) {
    const [, value] = OF_VALUES.exec(key) ?? [];
    if (value === undefined) throw error;
    return value;
  },
};
