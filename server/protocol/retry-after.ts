/** Seconds after which a client that was answered 503 tries again (RFC 9110 §10.2.3). */
export const RETRY_AFTER = 3;
