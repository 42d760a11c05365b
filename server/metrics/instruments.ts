/** The metrics of this process, for Prometheus. Labels have only a few fixed values. */
import { AggregatorRegistry, Counter, Gauge, Registry } from "prom-client";
import { passwordQueueLength } from "../crypto/password-hash";
import { collectProcessMetrics } from "./event-loop";

/** The metrics of this process; cluster.ts sums those of several. */
export const processMetrics = new Registry();

const registers = [processMetrics];
/** The upper bounds of the histograms' buckets, in seconds. */
export const buckets = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5];

const signIns = new Counter({
  name: "identity_sign_ins_total",
  help: "Sign-ins by how they ended and by what was proven last or tried.",
  labelNames: ["outcome", "method"],
  registers,
});

const attempts = new Counter({
  name: "identity_sign_in_attempts_total",
  help: "Attempts to sign in by how they ended: signed_in, or why not.",
  labelNames: ["reason"],
  registers,
});

const unlistedAttempts = new Counter({
  name: "identity_sign_in_attempts_unlisted_total",
  help: "Attempts to sign in that were not kept for administrators: more than a network may cause, or the database was away.",
  registers,
});

const passwordHooks = new Counter({
  name: "identity_password_hook_total",
  help: "Questions to password hooks of organizations by the answer: verified, refused, or failed.",
  labelNames: ["outcome"],
  registers,
});

for (const outcome of ["verified", "refused", "failed"]) passwordHooks.inc({ outcome }, 0);

export const countPasswordHook = (outcome: "verified" | "refused" | "failed"): void => passwordHooks.inc({ outcome });

const tokens = new Counter({
  name: "identity_token_requests_total",
  help: "Requests of the token endpoint by grant type and result: issued, or the error.",
  labelNames: ["grant_type", "result"],
  registers,
});

const refusals = new Counter({
  name: "identity_oauth_refusals_total",
  help: "Requests that an OAuth endpoint answered with 400 or 401, by endpoint and error.",
  labelNames: ["endpoint", "error"],
  registers,
});

/**
 * Counts an error response of an OAuth endpoint.
 * @param path the path of the endpoint
 * @param error an error code of the protocol
 */
export function countRefusal(path: string, error: string): void {
  refusals.inc({ endpoint: path.slice(path.lastIndexOf("/") + 1), error });
}

const documents = new Counter({
  name: "identity_client_documents_total",
  help: "Fetches of client ID metadata documents by outcome: read, refused, unreachable, or limited.",
  labelNames: ["outcome"],
  registers,
});

/** Counts a fetch of a client's metadata document, or that there was none because there were too many. */
export function countDocument(outcome: "read" | "refused" | "unreachable" | "limited"): void {
  documents.inc({ outcome });
}

const registrations = new Counter({
  name: "identity_client_registrations_total",
  help: "Clients that registered themselves, by how: open, or with an initial access token.",
  labelNames: ["how"],
  registers,
});

/** Counts a client that registered itself. */
export function countRegistration(how: "open" | "token"): void {
  registrations.inc({ how });
}

const providerSignIns = new Counter({
  name: "identity_provider_sign_ins_total",
  help: "Sign-ins at identity providers by the kind of provider and the outcome.",
  labelNames: ["type", "outcome"],
  registers,
});

export type ProviderOutcome = "signed_in" | "linked" | "created" | "asked" | "denied" | "failed" | "refused";

/** Counts how a sign-in at an identity provider ended. @param type the kind of provider */
export function countProviderSignIn(type: string, outcome: ProviderOutcome): void {
  providerSignIns.inc({ type, outcome });
}

const providerSignOuts = new Counter({
  name: "identity_provider_sign_outs_total",
  help: "Sign-outs at and by identity providers by the kind of provider and the outcome.",
  labelNames: ["type", "outcome"],
  registers,
});

/**
 * Counts a sign-out that was sent to a provider, which SAML confirms or not, or that came from one.
 * @param type the kind of provider
 */
export function countProviderSignOut(
  type: string,
  outcome: "sent" | "confirmed" | "unconfirmed" | "received" | "refused",
): void {
  providerSignOuts.inc({ type, outcome });
}

const providerTokens = new Counter({
  name: "identity_provider_tokens_total",
  help: "Tokens of identity providers that apps asked for, by the kind of provider and the outcome.",
  labelNames: ["type", "outcome"],
  registers,
});

/** Counts a request of an app for a provider's token. @param type the kind of provider */
export function countProviderToken(type: string, outcome: "issued" | "none" | "ended" | "unavailable"): void {
  providerTokens.inc({ type, outcome });
}

const throttled = new Counter({
  name: "identity_throttled_total",
  help: "What was refused because there were too many tries, by limit.",
  labelNames: ["limit"],
  registers,
});

const deliveries = new Counter({
  name: "identity_mail_attempts_total",
  help: "Attempts to send a message by their outcome and channel, mail or sms.",
  labelNames: ["outcome", "channel"],
  registers,
});

const removedEvents = new Counter({
  name: "identity_events_removed_total",
  help: "Events of the audit trail that were older than EVENT_RETENTION and have been removed.",
  registers,
});

const archiveFailures = new Counter({
  name: "identity_event_archive_failures_total",
  help: "Failed attempts to write old events to EVENT_ARCHIVE_DIRECTORY; nothing is removed meanwhile.",
  registers,
});

const backgroundFailures = new Counter({
  name: "identity_background_failures_total",
  help: "Runs of background work that failed, by work; each is tried again.",
  labelNames: ["work"],
  registers,
});

const lostLogLines = new Counter({
  name: "identity_log_lines_lost_total",
  help: "Lines of the log that could not be written, or were dropped because nobody read them.",
  registers,
});

const telemetryFailures = new Counter({
  name: "identity_telemetry_failures_total",
  help: "Traces or metrics that could not be sent to the collector.",
  registers,
});

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

const outcomes = {
  attempts,
  tokens,
  refusals,
  documents,
  registrations,
  throttled,
  deliveries,
  backgroundFailures,
} as const;

/**
 * Shows 0 for outcomes that have not happened yet. Otherwise Prometheus sees no increase in a series that begins with
 * its first occurrence, and alert rules cannot compare with a missing series.
 */
export function beginAtZero(counter: keyof typeof outcomes, labels: readonly Readonly<Record<string, string>>[]): void {
  for (const each of labels) (outcomes[counter] as Counter).inc(each, 0);
}

beginAtZero(
  "documents",
  ["read", "refused", "unreachable", "limited"].map((outcome) => ({ outcome })),
);

beginAtZero(
  "registrations",
  ["open", "token"].map((how) => ({ how })),
);

const METHODS_OF_SIGN_IN = ["password", "code", "passkey"] as const;
export type SignInMethod = (typeof METHODS_OF_SIGN_IN)[number];

for (const method of METHODS_OF_SIGN_IN) {
  for (const outcome of ["refused", "throttled"]) signIns.inc({ outcome, method }, 0);
}
signIns.inc({ outcome: "signed_in", method: "pwd" }, 0);

/** Counts a sign-in; `amr` are the authentication methods (RFC 8176). */
export function countSignIn(amr: readonly string[]): void {
  signIns.inc({ outcome: "signed_in", method: amr.join(" ") });
}

export function countFailedSignIn(outcome: "refused" | "throttled", method: SignInMethod): void {
  signIns.inc({ outcome, method });
}

/** @param reason a reason of protocol/sign-in-attempt */
export function countSignInAttempt(reason: string): void {
  attempts.inc({ reason });
}

export function countUnlistedAttempt(): void {
  unlistedAttempts.inc();
}

/** @param result `issued`, or the error code of RFC 6749 §5.2 */
export function countTokenRequest(grantType: string, result: string): void {
  tokens.inc({ grant_type: grantType, result });
}

export function countThrottled(limit: string): void {
  throttled.inc({ limit });
}

export function countMailAttempt(outcome: string, channel: string): void {
  deliveries.inc({ outcome, channel });
}

export function countRemovedEvents(count: number): void {
  removedEvents.inc(count);
}

export function countBackgroundFailure(work: string): void {
  backgroundFailures.inc({ work });
}

export function countLostLogLines(count: number): void {
  lostLogLines.inc(count);
}

export function countTelemetryFailure(): void {
  telemetryFailures.inc();
}

export function countArchiveFailure(): void {
  archiveFailures.inc();
}
