/** The metrics of this process, for Prometheus. Labels have only a few fixed values. */
import { AggregatorRegistry, Counter, Gauge, Registry } from "prom-client";
import { passwordQueueLength } from "../crypto/password-hash";
import { collectProcessMetrics } from "./event-loop";

/** The metrics of this process; cluster.ts sums those of several. */
export const processMetrics = new Registry();

const registers = [processMetrics];
/** The upper bounds of the histograms' buckets, in seconds. */
export const buckets = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5];

/** Creates a counter without labels. Returns the function that adds to it. */
function counting(name: string, help: string): (by?: number) => void {
  const counter = new Counter({ name, help, registers });
  return (by = 1) => counter.inc(by);
}

/** Counts one event by the values of the labels. */
interface LabelledCount<Values extends string[]> {
  (...values: Values): void;
  /**
   * Shows 0 for values that have not occurred yet. Otherwise Prometheus sees no increase in a series that begins with
   * its first occurrence, and alert rules cannot compare with a missing series.
   */
  beginAtZero(...expected: readonly (readonly [...Values])[]): void;
}

/** Creates a counter with labels. Returns the function that counts one event. */
function countingBy<Values extends string[]>(
  name: string,
  help: string,
  ...labelNames: { [Place in keyof Values]: string }
): LabelledCount<Values> {
  const counter = new Counter({ name, help, labelNames, registers });
  return Object.assign((...values: Values) => counter.labels(...values).inc(), {
    beginAtZero(...expected: readonly (readonly [...Values])[]) {
      for (const values of expected) counter.labels(...values).inc(0);
    },
  });
}

const countSignInBy = countingBy<[outcome: "signed_in" | "refused" | "throttled", method: string]>(
  "identity_sign_ins_total",
  "Sign-ins by how they ended and by what was proven last or tried.",
  "outcome",
  "method",
);

/** `reason` is one of protocol/sign-in-attempt. */
export const countSignInAttempt = countingBy<[reason: string]>(
  "identity_sign_in_attempts_total",
  "Attempts to sign in by how they ended: signed_in, or why not.",
  "reason",
);

export const countUnlistedAttempt = counting(
  "identity_sign_in_attempts_unlisted_total",
  "Attempts to sign in that were not kept for administrators: more than a network may cause, or the database was away.",
);

export const countPasswordHook = countingBy<[outcome: "verified" | "refused" | "failed"]>(
  "identity_password_hook_total",
  "Questions to password hooks of organizations by the answer: verified, refused, or failed.",
  "outcome",
);
countPasswordHook.beginAtZero(["verified"], ["refused"], ["failed"]);

/** `result` is `issued`, or the error code of RFC 6749 §5.2. */
export const countTokenRequest = countingBy<[grantType: string, result: string]>(
  "identity_token_requests_total",
  "Requests of the token endpoint by grant type and result: issued, or the error.",
  "grant_type",
  "result",
);

/** `endpoint` is the last part of its path, `error` an error code of the protocol. */
export const countRefusal = countingBy<[endpoint: string, error: string]>(
  "identity_oauth_refusals_total",
  "Requests that an OAuth endpoint answered with 400 or 401, by endpoint and error.",
  "endpoint",
  "error",
);

/** Counts a fetch of a client's metadata document, or that there was none because there were too many. */
export const countDocument = countingBy<[outcome: "read" | "refused" | "unreachable" | "limited"]>(
  "identity_client_documents_total",
  "Fetches of client ID metadata documents by outcome: read, refused, unreachable, or limited.",
  "outcome",
);
countDocument.beginAtZero(["read"], ["refused"], ["unreachable"], ["limited"]);

export const countRegistration = countingBy<[how: "open" | "token"]>(
  "identity_client_registrations_total",
  "Clients that registered themselves, by how: open, or with an initial access token.",
  "how",
);
countRegistration.beginAtZero(["open"], ["token"]);

export type ProviderOutcome = "signed_in" | "linked" | "created" | "asked" | "denied" | "failed" | "refused";

/** `type` is the kind of the identity provider. */
export const countProviderSignIn = countingBy<[type: string, outcome: ProviderOutcome]>(
  "identity_provider_sign_ins_total",
  "Sign-ins at identity providers by the kind of provider and the outcome.",
  "type",
  "outcome",
);

/** Counts a sign-out that was sent to a provider, which SAML confirms or not, or that came from one. */
export const countProviderSignOut = countingBy<
  [type: string, outcome: "sent" | "confirmed" | "unconfirmed" | "received" | "refused"]
>(
  "identity_provider_sign_outs_total",
  "Sign-outs at and by identity providers by the kind of provider and the outcome.",
  "type",
  "outcome",
);

/** `type` is the kind of the identity provider. */
export const countProviderToken = countingBy<
  [type: string, outcome: "issued" | "none" | "ended" | "unavailable" | "revoked" | "unrevoked"]
>(
  "identity_provider_tokens_total",
  "Tokens of identity providers that apps asked for, or that ended here, by the kind of provider and the outcome.",
  "type",
  "outcome",
);

export const countThrottled = countingBy<[limit: string]>(
  "identity_throttled_total",
  "What was refused because there were too many tries, by limit.",
  "limit",
);

export const countMailAttempt = countingBy<[outcome: string, channel: string]>(
  "identity_mail_attempts_total",
  "Attempts to send a message by their outcome and channel, mail or sms.",
  "outcome",
  "channel",
);

export const countRemovedEvents = counting(
  "identity_events_removed_total",
  "Events of the audit trail that were older than EVENT_RETENTION and have been removed.",
);

export const countArchiveFailure = counting(
  "identity_event_archive_failures_total",
  "Failed attempts to write old events to EVENT_ARCHIVE_DIRECTORY; nothing is removed meanwhile.",
);

export const countBackgroundFailure = countingBy<[work: string]>(
  "identity_background_failures_total",
  "Runs of background work that failed, by work; each is tried again.",
  "work",
);

export const countLostLogLines = counting(
  "identity_log_lines_lost_total",
  "Lines of the log that could not be written, or were dropped because nobody read them.",
);

export const countTelemetryFailure = counting(
  "identity_telemetry_failures_total",
  "Traces or metrics that could not be sent to the collector.",
);

new Gauge({
  name: "identity_password_queue_length",
  help: "Passwords that wait to be checked.",
  registers,
  collect() {
    this.set(passwordQueueLength());
  },
});

/** Starts the metrics of the process itself: memory, CPU and event loop. To be called once per serving process. */
export function watchProcess(): void {
  collectProcessMetrics(processMetrics);
  AggregatorRegistry.setRegistries(processMetrics);
  new AggregatorRegistry(); // answers the supervising process
}

/** Counts a sign-in; `amr` are the authentication methods (RFC 8176). */
export const countSignIn = (amr: readonly string[]): void => countSignInBy("signed_in", amr.join(" "));

export const countFailedSignIn: (outcome: "refused" | "throttled", method: "password" | "code" | "passkey") => void =
  countSignInBy;

for (const method of ["password", "code", "passkey"]) {
  countSignInBy.beginAtZero(["refused", method], ["throttled", method]);
}
countSignInBy.beginAtZero(["signed_in", "pwd"]);
