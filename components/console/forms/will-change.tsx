"use client";
// The changes that saving would make: each setting with its old and new value, and the effect on the affected users.
import { useTranslations } from "next-intl";
import { Fragment, useId } from "react";

export interface ShownChange {
  key: string;
  label: string;
  /** The old value in words. For a list, the removed entries. */
  before: readonly string[];
  /** The new value in words. For a list, the added entries. */
  after: readonly string[];
  isList?: boolean;
  notes?: readonly string[];
}

export interface WillChangeProps {
  changes: readonly ShownChange[];
  /** The level of the heading: the one below the heading of the form, or of the page if the form has none. */
  heading?: "h2" | "h3";
}

export function WillChange({ changes, heading: Heading = "h3" }: WillChangeProps) {
  const t = useTranslations();
  const id = useId();
  if (changes.length === 0) return null;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls if it is long
    <section className="will-change" aria-labelledby={id} tabIndex={0}>
      <Heading id={id}>{t("settings.willChange")}</Heading>
      <ul>
        {changes.map(({ key, label, before, after, isList, notes = [] }) => (
          <li key={key} className={isList ? "parts" : undefined}>
            {label}:{" "}
            {before.map((value) => (
              <Fragment key={value}>
                {isList && `${t("settings.taken")} `}
                <del>
                  <bdi>{value}</bdi>
                </del>{" "}
              </Fragment>
            ))}
            {after.map((value) => (
              <Fragment key={value}>
                {isList && `${t("settings.added")} `}
                <ins>
                  <bdi>{value}</bdi>
                </ins>{" "}
              </Fragment>
            ))}
            {notes.map((note) => (
              <span key={note} className="hint">
                {" "}
                {note}
              </span>
            ))}
          </li>
        ))}
      </ul>
    </section>
  );
}
