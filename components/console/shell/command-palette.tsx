"use client";
// The command palette: finds pages and acts at once, users, apps, organizations and texts through the server.
import { useLocale, useTranslations } from "next-intl";
import { actAddress, actOf, type ConsoleAct } from "../../../shared/acts";
import { ListOrganizationApps, ManagementService_SearchTexts } from "../../../shared/generated/operations";
import { entryOf, organizationAddress, pageAddress } from "../../../shared/pages";
import { clientIdOf } from "../apps/app";
import { callOperation } from "../calls/call";
import { Finder } from "../dialogs/finder";
import type { Destination, DestinationGroup } from "../dialogs/finder-window";
import { type FoundUser, findUsers } from "../directory/find-users";
import { closestFirst } from "../lists/closest-first";
import { type FoundOrganization, findOrganizations } from "../lists/find-organizations";
import { Icon } from "../parts/icons";
import { useFrame } from "./frame-facts";
import { type MatchedAct, matchActs } from "./match-acts";

export interface CommandPaletteProps {
  /** The organizations of a visitor who may not see all of them. */
  managed: readonly FoundOrganization[] | undefined;
}

/** Acts on named objects: how many of them, and to how many objects each. */
const MAX_ACTS = 3;
const MAX_OBJECTS = 4;
const MAX_APPS = 8;
const MAX_TEXTS = 5;
/** Shorter texts are in nearly all texts. */
const MIN_SOUGHT = 3;

export function CommandPalette({ managed }: CommandPaletteProps) {
  const t = useTranslations();
  const locale = useLocale();
  const { pages, acts, organization } = useFrame();
  if (!organization) return null;
  const level = pages.includes("everybody") ? "instance" : "organization";
  const base = organizationAddress(organization.id);

  const pagesFor = (typed: string): Destination[] => {
    const all = pages.map((page) => ({
      href: pageAddress(page, organization.id),
      label: t(`pages.${page}`),
      detail: { home: undefined, organization: organization.name, instance: t("frame.service") }[entryOf(page).group],
    }));
    return closestFirst(all, typed, ({ label, detail }) => [label, detail ?? ""]);
  };
  const worded = () =>
    acts.map((act) => ({
      act,
      words: `${t(`acts.by.name.${act}`, { name: "" })} ${t(`acts.by.words.${act}`)}`,
      hasObject: actOf(act).to !== undefined,
    }));
  const actFor = (act: ConsoleAct, object?: Destination): Destination => ({
    href: actAddress(act, organization.id, object?.href),
    label: t(`acts.by.name.${act}`, { name: object?.label ?? "…" }),
    detail: object?.detail,
  });
  const messageTexts = (typed: string): Destination[] => {
    if (!pages.includes("texts") || typed === "") return [];
    const { other: _, ...names } = t.raw("types") as Record<string, string>;
    const all = Object.entries(names).map(([type, label]) => ({
      href: `${pageAddress("texts", organization.id)}/${type}/${locale}`,
      label,
      detail: t("pages.texts"),
    }));
    return closestFirst(all, typed, ({ label, href }) => [label, href]).slice(0, MAX_TEXTS);
  };
  const findApps = async (typed: string): Promise<Destination[]> => {
    if (!pages.includes("apps")) return [];
    const body = { query: { limit: MAX_APPS }, queries: [{ textQuery: { text: typed } }] };
    const answer = await callOperation(ListOrganizationApps, { body });
    if (!answer.ok) return [];
    return answer.body.result.map((app) => ({
      href: `${base}/projects/${encodeURIComponent(app.projectId)}/apps/${encodeURIComponent(app.id)}`,
      label: app.name,
      detail: clientIdOf(app),
    }));
  };
  const findPeople = async (typed: string): Promise<Destination[]> =>
    pages.includes("users") || level === "instance" ? (await findUsers(typed, level)).map(placeOf) : [];
  const findTexts = async (typed: string): Promise<Destination[]> => {
    if (!pages.includes("texts") || typed.length < MIN_SOUGHT) return [];
    const answer = await callOperation(ManagementService_SearchTexts, { body: { query: typed, language: locale } });
    if (!answer.ok) return [];
    return answer.body.result.slice(0, MAX_TEXTS).map(({ type, language, field, text }) => ({
      href: type
        ? `${pageAddress("texts", organization.id)}/${type}/${language}#${field}`
        : `${pageAddress("words", organization.id)}#${field}`,
      label: text,
      detail: type ? t(`types.${type}`) : t("pages.words"),
    }));
  };
  const actsOnObjects = async (matched: readonly MatchedAct<ConsoleAct>[]): Promise<Destination[]> => {
    const found = await Promise.all(
      matched.slice(0, MAX_ACTS).map(async ({ act, object }) => {
        const objects = await (actOf(act).to === "app" ? findApps(object) : findPeople(object));
        return objects.slice(0, MAX_OBJECTS).map((one) => actFor(act, one));
      }),
    );
    return found.flat();
  };

  const search = async (typed: string, show: (groups: readonly DestinationGroup[]) => void) => {
    const matched = matchActs(worded(), typed);
    const general = matched.filter(({ object }) => object === "").map(({ act }) => actFor(act));
    const places = { value: t("frame.menu"), items: pagesFor(typed) };
    const names = messageTexts(typed);
    show([places, { value: t("acts.title"), items: general }, { value: t("acts.texts"), items: names }]);
    if (typed === "") return;
    const [onObjects, people, apps, organizations, texts] = await Promise.all([
      actsOnObjects(matched.filter(({ object }) => object !== "")),
      findPeople(typed),
      findApps(typed),
      findOrganizations(typed, managed),
      findTexts(typed),
    ]);
    const named = new Set(names.map(({ href }) => href));
    show([
      places,
      { value: t("acts.title"), items: [...onObjects, ...general] },
      { value: t("pages.users"), items: people },
      { value: t("pages.apps"), items: apps },
      {
        value: t("frame.organizations"),
        items: organizations.map(({ id, name, primaryDomain }) => ({
          href: organizationAddress(id),
          label: name,
          detail: primaryDomain ?? id,
        })),
      },
      { value: t("acts.texts"), items: [...names, ...texts.filter(({ href }) => !named.has(href))] },
    ]);
  };
  return (
    <Finder
      id="palette"
      label={t("frame.goTo")}
      trigger={
        <>
          <Icon name="search" />
          <span className="wide">{t("frame.goTo")}</span>
          <span className="key wide" aria-hidden="true">
            Ctrl K
          </span>
        </>
      }
      shortcut="k"
      search={(typed, show) => void search(typed, show)}
    />
  );
}

const placeOf = ({ value, label, detail, organizationId, page }: FoundUser): Destination => ({
  href: `${pageAddress(page, organizationId)}/${encodeURIComponent(value)}`,
  label,
  detail,
});
