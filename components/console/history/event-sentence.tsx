// Describes an event as a sentence in the reader's language.
import { useTranslations } from "next-intl";
import { Fragment } from "react";
import type { AuditEvent } from "./event";
import { ActorName, GapName, ObjectName } from "./names";
import { partsOf, sentenceKeys } from "./sentence";

export function EventSentence({ event }: { event: AuditEvent }) {
  const t = useTranslations();
  const key = sentenceKeys(event).find((one) => t.has(one));
  // The event was recorded by another release and has no text here.
  if (key === undefined) {
    return (
      <>
        <ActorName actor={event.actor} /> · <code>{event.type}</code> · <ObjectName event={event} />
      </>
    );
  }
  return partsOf(String(t.raw(key))).map((part, index) =>
    "gap" in part ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence never change their order
      <GapName key={index} gap={part.gap} event={event} />
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence never change their order
      <Fragment key={index}>{part.text}</Fragment>
    ),
  );
}
