/** Seconds after which a client that got a 503 should retry (RFC 9110 §10.2.3). */
export const RETRY_AFTER = 3;
