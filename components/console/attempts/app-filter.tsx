"use client";
// The filter for the app of a sign-in attempt.
import { useTranslations } from "next-intl";
import { ListOrganizationApps } from "../../../shared/generated/operations";
import { clientIdOf } from "../apps/app";
import { callOperation } from "../calls/call";
import { CONTAINS } from "../calls/list";
import type { Choosable } from "../forms/choosable";
import { FilterPick, type PickProps } from "../lists/filter-pick";

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
