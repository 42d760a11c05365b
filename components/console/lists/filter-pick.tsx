"use client";
// The filters that choose one of very many values by typing. A choice applies at once.
import { useTranslations } from "next-intl";
import { useEffect, useRef, useState } from "react";
import { Choice, type ChoiceProps } from "../forms/choice";
import { findOrganizations } from "./find-organizations";

export interface FilterPickProps extends ChoiceProps {
  /** Whether the filter is only shown on request, unless it is set. */
  isMore?: boolean;
}

export function FilterPick({ isMore, initial, onChoose, ...choice }: FilterPickProps) {
  const chip = useRef<HTMLDivElement>(null);
  const [chosen, setChosen] = useState(initial?.value);
  // The hidden field of the choice has its new value.
  useEffect(() => {
    if (chosen !== initial?.value) chip.current?.closest("form")?.requestSubmit();
  }, [chosen, initial?.value]);
  return (
    <div ref={chip} className={isMore ? "chip more" : "chip"} data-active={initial ? "" : undefined}>
      <Choice
        {...choice}
        initial={initial}
        onChoose={(value) => {
          setChosen(value?.value);
          onChoose?.(value);
        }}
      />
    </div>
  );
}

export type PickProps = Pick<FilterPickProps, "initial" | "isMore">;

export function OrganizationFilter(props: PickProps) {
  const t = useTranslations();
  const search = async (typed: string) => {
    const found = await findOrganizations(typed, undefined).catch(() => []);
    return found.map(({ id, name, primaryDomain }) => ({ value: id, label: name, detail: primaryDomain }));
  };
  return <FilterPick {...props} name="organization" label={t("pages.organization")} search={search} />;
}
