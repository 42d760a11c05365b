/**
 * The durations of HTTP requests, for Prometheus. Routes are patterns and not paths, or a client could fill our memory
 * by requesting a million paths.
 */
import { DurationHistogram, type DurationSeries } from "./durations";
import { buckets, processMetrics } from "./instruments";

const requests = new DurationHistogram<"method" | "route" | "status">(
  {
    name: "identity_http_request_duration_seconds",
    help: "Answered HTTP requests by method, route and status.",
    buckets,
  },
  processMetrics,
);

const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

type ByStatus = Map<number, DurationSeries>;
/** The series of requests by route, method and status. These labels have few values, so there are few series. */
const requestSeries = new Map<string, Map<string, ByStatus>>();

/**
 * Counts a request and its duration.
 * @param route the pattern of one of our routes; undefined if none matched
 * @param ms duration in milliseconds
 */
export function countRequest(method: string, route: string | undefined, status: number, ms: number): void {
  requestsAs(method, route ?? "other", status).observe(ms);
}

/** Returns the series of requests with these labels. */
function requestsAs(given: string, route: string, status: number): DurationSeries {
  const known = requestSeries.get(route)?.get(given)?.get(status);
  if (known !== undefined) return known;
  const method = METHODS.has(given) ? given : "other";
  const byMethod = entry(requestSeries, route, () => new Map<string, ByStatus>());
  const byStatus = entry(byMethod, method, () => new Map<number, DurationSeries>());
  return entry(byStatus, status, () => requests.series({ method, route, status }));
}

/** Returns the value of a key, which is created if it is missing. */
function entry<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}
