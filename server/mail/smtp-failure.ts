/**
 * What an error of the mail server means for a mail: gone for good, to be tried again, or nothing to do with it.
 * RFC 5321 §4.2.1: 4yz may succeed later, 5yz will not. Choice: only an answer to the recipient or to the mail itself
 * ends its life; a refused login or sender is a mistake in the settings, and once it is mended the mail still goes out.
 */

/** Milliseconds for each step of a connection. */
export const STEP_TIMEOUT = 10_000;

export type Failure =
  | { outcome: "refused"; permanent: boolean; answer: string }
  /** The server could not be used at all: no other mail would get through either. */
  | { outcome: "unreachable"; answer: string };

interface SmtpError {
  message?: string;
  code?: string;
  responseCode?: number;
  response?: string;
  command?: string;
}

const ABOUT_THE_MAIL = /^(RCPT TO|DATA|BDAT)$/;

export function judge(error: unknown): Failure {
  const { message = "unknown error", code, responseCode, response, command = "" } = error as SmtpError;
  // Servers tell reasons in several lines and may echo what they were sent: one line, and not all of it.
  const answer = (response ?? `${message}${code && !message.includes(code) ? ` (${code})` : ""}`)
    .replace(/\s+/g, " ")
    .slice(0, 500);
  if (responseCode !== undefined && ABOUT_THE_MAIL.test(command)) {
    return { outcome: "refused", permanent: responseCode >= 500, answer };
  }
  return { outcome: "unreachable", answer };
}
