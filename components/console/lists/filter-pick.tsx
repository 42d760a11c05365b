"use client";
// The filters that choose one of very many values by typing: users, organizations, apps. A choice applies at once.
import { useTranslations } from "next-intl";
import { useEffect, useRef, useState } from "react";
import { ListOrganizationApps } from "../../../shared/generated/operations";
import { clientIdOf } from "../apps/app";
import { callOperation } from "../calls/call";
import { CONTAINS } from "../calls/list";
import { Choice, type ChoiceProps, type Choosable } from "../forms/choice";
import { findOrganizations } from "../shell/find-organizations";

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

type PickProps = Pick<FilterPickProps, "initial" | "isMore">;

export function OrganizationFilter(props: PickProps) {
  const t = useTranslations();
  const search = async (typed: string) => {
    const found = await findOrganizations(typed, undefined).catch(() => []);
    return found.map(({ id, name, primaryDomain }) => ({ value: id, label: name, detail: primaryDomain }));
  };
  return <FilterPick {...props} name="organization" label={t("pages.organization")} search={search} />;
}

/** The maximum number of apps that are offered. */
const MAX_FOUND = 20;

/** The app of a client ID. Any other client ID can be typed: requests can name one that does not exist. */
export function AppFilter({ organizationId, ...props }: PickProps & { organizationId: string }) {
  const t = useTranslations();
  const search = async (typed: string): Promise<Choosable[]> => {
    const name = typed.trim();
    const queries = name === "" ? [] : [{ nameQuery: { name, method: CONTAINS } }];
    const request = { organizationId, body: { query: { limit: MAX_FOUND }, queries } };
    const answer = await callOperation(ListOrganizationApps, request).catch(() => undefined);
    const apps = answer?.ok ? answer.body.result : [];
    const found = apps.map((app) => ({ value: clientIdOf(app), label: app.name, detail: app.projectName }));
    const isId = name !== "" && !found.some(({ value }) => value === name);
    return isId ? [...found, { value: name, label: name, detail: t("apps.clientId") }] : found;
  };
  return <FilterPick {...props} name="app" label={t("directory.app")} search={search} />;
}
