// The order of signing keys on their page. It does not depend on the last rotation, so that no button moves.
import type { Schemas } from "../../../server/api/generated/operations";

type WebKey = Schemas["WebKey"];

const STATES: readonly WebKey["state"][] = ["STATE_ACTIVE", "STATE_INITIAL", "STATE_INACTIVE"];

/** Sorts keys by algorithm, then the active one, those on standby and the retired ones, each newest first. */
export function inSteadyOrder(keys: readonly WebKey[]): WebKey[] {
  const newestFirst = (one: WebKey, other: WebKey) => Date.parse(other.creationDate) - Date.parse(one.creationDate);
  return keys.toSorted(
    (one, other) =>
      one.algorithm.localeCompare(other.algorithm, "en") ||
      STATES.indexOf(one.state) - STATES.indexOf(other.state) ||
      newestFirst(one, other),
  );
}
