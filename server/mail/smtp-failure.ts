/**
 * Classifies an error of the mail server: the mail failed permanently, it must be retried, or the server is unusable
 * for all mails. RFC 5321 §4.2.1: 4yz may succeed later, 5yz will not. Choice: a mail only fails permanently if the
 * server rejects its recipient or its content. A rejected login or sender is a configuration error; once it is
 * corrected, the mail is still sent.
 */

/** The time limit of each step of a connection, milliseconds. */
export const STEP_TIMEOUT = 10_000;

export type Failure =
  | { outcome: "refused"; permanent: boolean; answer: string }
  /** The server is unusable for all mails. */
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
  // Servers give reasons in several lines and may repeat what they received; they are joined into one line and
  // truncated.
  const answer = (response ?? `${message}${code && !message.includes(code) ? ` (${code})` : ""}`)
    .replace(/\s+/g, " ")
    .slice(0, 500);
  if (responseCode !== undefined && ABOUT_THE_MAIL.test(command)) {
    return { outcome: "refused", permanent: responseCode >= 500, answer };
  }
  return { outcome: "unreachable", answer };
}
