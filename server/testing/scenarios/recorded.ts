/**
 * The requests and responses of the scenarios for the pages of the API: one call of each operation, with values that
 * differ between runs (ids, secrets, times) replaced, so that a call is always recorded the same.
 */
import { operations } from "../../api/all";
import { scenarios } from "./all";
import type { Memory, Step } from "./step";

export interface RecordedCall {
  /** The address with its parameters and the query. */
  address: string;
  /** For `x-service-orgid`, if another organization than the caller's is meant. */
  organizationId?: string;
  /** Undefined if none is sent. */
  body?: unknown;
  status: number;
  answer: unknown;
}

/** The number of list items to keep. */
const MAX_LIST = 2;
/** The maximum length of a response as JSON; of a longer one only the first members of each object are kept. */
const MAX_ANSWER = 4_000;
const MEMBERS_OF_LONG = 6;
/** The maximum length of a text. */
const MAX_TEXT = 300;

const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;
const ID = /\b[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}\b/g;
const JWT = /\beyJ[\w-]+\.[\w-]+\.[\w-]*/g;
/** Random values, as opposed to readable text: letters of both cases and digits in a row. */
const RANDOM = /(?<![\w/+.-])(?=[\w+/-]*\d)(?=[\w+/-]*[A-Z])(?=[\w+/-]*[a-z])[\w+/-]{20,}=*(?![\w/+-])/g;
/** Names whose values are always random; one in forty has no digit. */
const IS_RANDOM = /^(?:etag|.*[sS]ecret|.*[tT]oken)$/;
const ALL_RANDOM = /^(?=.*[A-Z])(?=.*[a-z])[\w+/-]{20,}=*$/;

/** Codes as users type them. */
const CODE = /\b[0-9A-Z]{4}-[0-9A-Z]{4}\b/g;
/** The secret of an authenticator app. */
const BASE32 = /\b[A-Z2-7]{32}\b/g;
/** Replacements for members whose value depends on the machine, the day or the release. */
const OF_THE_MOMENT: Readonly<Record<string, unknown>> = {
  bytes: 4096,
  bytesPerSession: 4096,
  bytesPerEvent: 1024,
  date: "2030-01-01",
  runtime: "Node.js 20.19.0",
  version: "1.0.0",
  applied: 1,
  last: "20300101120000_first",
};

/** Returns the step to show of each operation: the first that succeeds, otherwise the first that is refused. */
export function shownSteps(): ReadonlyMap<Step, string> {
  const all = Object.values(scenarios).flat();
  const shown = operations
    .filter(isShown)
    .map(({ id }) => all.find((step) => step.operation === id && !step.refused) ?? all.find((s) => s.operation === id));
  return new Map(shown.flatMap((step) => (step ? [[step, step.operation]] : [])));
}

const firstOf = new Map<string, string>();
for (const { id, variant } of operations) if (variant && !firstOf.has(variant.of)) firstOf.set(variant.of, id);

/** Whether an operation is the first one of those that differ in a part of their address. */
const isShown = ({ id, variant }: (typeof operations)[number]) => !variant || firstOf.get(variant.of) === id;

/** Returns an id of the usual form, always the same for a name. */
function idFor(name: string): string {
  const letters = [...name].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 9_999_999_967, 7);
  return String(310_000_000_000_000_000n + BigInt(letters) * 7919n);
}

/**
 * Replaces values that differ between runs. @param memory the named values of the scenario, which give ids their names
 */
export function normalized<Value>(value: Value, memory: Memory): Value {
  const known = new Map(Object.entries(memory).map(([name, id]) => [id, name]));
  const visit = (one: unknown, key: string): unknown => {
    if (key in OF_THE_MOMENT && typeof one === typeof OF_THE_MOMENT[key]) return OF_THE_MOMENT[key];
    if (typeof one === "string") return text(one, key, known);
    if (Array.isArray(one)) return one.slice(0, MAX_LIST).map((item) => visit(item, key));
    if (typeof one !== "object" || one === null) return one;
    return Object.fromEntries(Object.entries(one).map(([name, member]) => [name, visit(member, name)]));
  };
  return shortened(visit(value, "")) as Value;
}

function shortened(value: unknown, inside = 0): unknown {
  if (inside === 0 && JSON.stringify(value).length <= MAX_ANSWER) return value;
  if (Array.isArray(value)) return value.map((item) => shortened(item, inside + 1));
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).slice(0, inside < 2 ? undefined : MEMBERS_OF_LONG);
  return Object.fromEntries(members.map(([name, member]) => [name, shortened(member, inside + 1)]));
}

function text(value: string, key: string, known: ReadonlyMap<string, string>): string {
  if (key === "code" && /^\d{6}$/.test(value)) return "123456";
  if (IS_RANDOM.test(key) && ALL_RANDOM.test(value)) return `example-${known.get(value) ?? key}`;
  const shown = value
    .replace(TIME, "2030-01-01T12:00:00Z")
    .replace(ID, (id) => idFor(known.get(id) ?? key))
    .replace(JWT, "eyJhbGciOi….eyJzdWIiOi….c2lnbmF0…")
    .replace(/(-----BEGIN [^-]+-----)[\s\S]*?(-----END [^-]+-----)/g, "$1\n…\n$2")
    .replace(CODE, "ABCD-2345")
    .replace(BASE32, "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP")
    .replace(RANDOM, (random) => (known.has(random) ? `example-${known.get(random)}` : `example-${key}`));
  return shown.length > MAX_TEXT ? `${shown.slice(0, MAX_TEXT)} …` : shown;
}
