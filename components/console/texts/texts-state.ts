// The state of the editor of texts and how actions change it: the open text, the drafts, and the result of the last
// action. The saved texts are in the cache of queries (saved-texts.ts).
import type { Refusal } from "../../../shared/refusal";
import { type Draft, withDraft, without, withoutSent } from "./drafts";
import type { SavedText, Values } from "./text-state";

/** The result of the last action. */
export type SaveOutcome<Address> =
  | { kind: "saved"; address: Address; warnings: number }
  | { kind: "reset"; address: Address; values: Values; sequence: string }
  | { kind: "restored"; address: Address }
  /** The change awaits another user's approval. */
  | { kind: "drafted"; address: Address }
  /** Another user changed the text before. */
  | { kind: "elsewhere"; address: Address }
  | { kind: "refused"; address: Address; refusal: Refusal };

export type UndoableReset<Address> = Extract<SaveOutcome<Address>, { kind: "reset" }>;

export interface TextsState<Address, Overview> {
  address: Address;
  overview: Overview;
  drafts: ReadonlyMap<string, Draft>;
  /** The values of the queued or running save of each text. */
  queued: ReadonlyMap<string, Values>;
  outcome: SaveOutcome<Address> | undefined;
  /** The version that another user has saved since the draft was started. */
  conflict: { key: string; theirs: SavedText } | undefined;
}

export type TextsAction<Address, Overview> =
  | { type: "open"; address: Address; isOtherText: boolean }
  | { type: "load"; drafts: ReadonlyMap<string, Draft> }
  | { type: "edit"; key: string; saved: SavedText; write(values: Values): Values }
  | { type: "begin"; key: string; draft: Draft }
  | { type: "discard"; key: string }
  | { type: "queue"; key: string; values: Values }
  | { type: "dequeue"; key: string; values: Values }
  | { type: "report"; outcome: SaveOutcome<Address> | undefined }
  | { type: "conflict"; conflict: TextsState<Address, Overview>["conflict"] }
  | { type: "overview"; overview: Overview }
  | Settled<Address, Overview>;

/** A change was accepted. */
interface Settled<Address, Overview> {
  type: "settle";
  key: string;
  outcome: SaveOutcome<Address>;
  /** The text that is saved now; undefined if the change awaits approval. */
  saved?: { own: Values; sequence: string };
  overview?: Overview;
  /** Whether a draft is the one that was sent; undefined if the change was not made of a draft. */
  isSent?(draft: Draft): boolean;
}

export function reduceTexts<Address, Overview>(
  state: TextsState<Address, Overview>,
  action: TextsAction<Address, Overview>,
): TextsState<Address, Overview> {
  const { drafts, queued } = state;
  // A reset can still be undone after another text was opened or edited.
  const undoable = state.outcome?.kind === "reset" ? state.outcome : undefined;
  switch (action.type) {
    case "open":
      if (!action.isOtherText) return { ...state, address: action.address };
      return { ...state, address: action.address, outcome: undoable, conflict: undefined };
    case "load":
      return { ...state, drafts: action.drafts };
    case "edit": {
      const { own, sequence } = action.saved;
      const { values, ...begun } = drafts.get(action.key) ?? { values: own, base: own, sequence };
      const next = withDraft(drafts, action.key, { ...begun, values: action.write(values) });
      return { ...state, drafts: next, outcome: undoable };
    }
    case "begin":
      return { ...state, drafts: withDraft(drafts, action.key, action.draft), outcome: undefined };
    case "discard":
      return { ...state, drafts: without(drafts, action.key), outcome: undefined };
    case "queue":
      return { ...state, queued: new Map(queued).set(action.key, action.values) };
    case "dequeue":
      return { ...state, queued: queued.get(action.key) === action.values ? without(queued, action.key) : queued };
    case "report":
      return { ...state, outcome: action.outcome };
    case "conflict":
      return { ...state, conflict: action.conflict };
    case "overview":
      return { ...state, overview: action.overview };
    case "settle":
      return settled(state, action);
  }
}

function settled<Address, Overview>(
  state: TextsState<Address, Overview>,
  { key, outcome, saved, overview = state.overview, isSent }: Settled<Address, Overview>,
): TextsState<Address, Overview> {
  const next = { ...state, outcome, overview };
  const draft = state.drafts.get(key);
  if (!isSent) return next;
  const conflict = state.conflict?.key === key ? undefined : state.conflict;
  if (saved) return { ...next, conflict, drafts: withoutSent(state.drafts, key, isSent, saved) };
  return { ...next, conflict, drafts: draft && !isSent(draft) ? state.drafts : without(state.drafts, key) };
}
