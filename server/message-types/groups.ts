/** The types of messages by purpose, as the editor of their texts lists them. */
import { type MessageDefinition, type MessagePurpose, PURPOSES } from "./definition";
import { definitionOf, MESSAGE_TYPES, type MessageType } from "./table";

export interface MessageGroup {
  purpose: MessagePurpose;
  types: readonly MessageType[];
}

/** Purposes without messages are omitted; in a group, messages to phones come last. */
export const MESSAGE_GROUPS: readonly MessageGroup[] = PURPOSES.map((purpose) => {
  const types = MESSAGE_TYPES.filter((type) => definitionOf(type).purpose === purpose);
  return { purpose, types: types.toSorted((a, b) => rank(definitionOf(a)) - rank(definitionOf(b))) };
}).filter(({ types }) => types.length > 0);

function rank({ isFirstOfPurpose, channel }: MessageDefinition): number {
  if (isFirstOfPurpose) return 0;
  return channel === "mail" ? 1 : 2;
}
