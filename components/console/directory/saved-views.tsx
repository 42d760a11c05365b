"use client";
// Views of the list of users: the built-in ones, and those that the visitor saved (views.ts).
import { useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import { Dialog } from "../dialogs/dialog";
import { TextInput } from "../forms/inputs";
import { LocalForm } from "../forms/local-form";
import { withHint } from "../forms/with-hint";
import { Button } from "../parts/button";
import { type View, viewsCookie, viewsIn, viewsOf } from "./views";

export interface SavedViewsProps {
  /** The address of the list without its query. */
  path: string;
  /** The query of the list as it is shown. */
  query: string;
  builtIn: readonly View[];
  /** The saved views of the page's request. */
  kept: readonly View[];
}

/**
 * Reads and removes the views that former versions kept in localStorage.
 * @returns the views that were still there
 */
function takeStored(place: string): View[] {
  try {
    const stored = viewsOf(JSON.parse(localStorage.getItem(place) ?? "[]"));
    localStorage.removeItem(place);
    return stored;
  } catch {
    return [];
  }
}

export function SavedViews({ path, query, builtIn, kept }: SavedViewsProps) {
  const t = useTranslations();
  const [own, setOwn] = useState(kept);
  const [isOpen, setOpen] = useState(false);
  const [typed, setTyped] = useState("");
  const keep = (views: readonly View[]) => {
    setOwn(views);
    // biome-ignore lint/suspicious/noDocumentCookie: supported browsers may lack the Cookie Store API
    document.cookie = viewsCookie(path, views);
  };
  // A page from the back/forward cache may be older than the views.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once; the component is mounted again for another list
  useEffect(() => {
    const here = viewsIn(document.cookie);
    const stored = takeStored(`views ${path}`).filter(({ name }) => !here.some((view) => view.name === name));
    if (stored.length > 0) keep([...stored, ...here]);
    else if (JSON.stringify(here) !== JSON.stringify(own)) setOwn(here);
  }, []);
  const save = () => {
    const name = typed.trim();
    if (name === "") return;
    keep([...own.filter((view) => view.name !== name), { name, query }]);
    setOpen(false);
    setTyped("");
  };
  const isKnown = [...builtIn, ...own].some((view) => view.query === query);
  const link = (view: View) => (
    <a
      href={view.query === "" ? path : `${path}?${view.query}`}
      aria-current={view.query === query ? "true" : undefined}
    >
      <bdi>{view.name}</bdi>
    </a>
  );
  return (
    <nav aria-label={t("directory.savedViews")} className="views">
      {builtIn.map((view) => (
        <span key={view.query}>{link(view)}</span>
      ))}
      {own.map((view) => (
        <span key={view.name}>
          {link(view)}{" "}
          <button
            type="button"
            className="plain icon"
            aria-label={t("directory.removeView", { name: view.name })}
            onClick={() => keep(own.filter((one) => one !== view))}
          >
            <span aria-hidden="true">×</span>
          </button>
        </span>
      ))}
      {!isKnown && (
        <Dialog
          title={t("directory.saveView")}
          trigger={{ id: "save-view", label: t("directory.saveView"), look: "plain" }}
          open={isOpen}
          onOpenChange={setOpen}
        >
          <LocalForm labels={{ name: t("directory.viewName") }} onSend={save}>
            <TextInput
              name="name"
              value={typed}
              onChange={setTyped}
              {...withHint(t, "directory.viewName")}
              required
              maxLength={60}
            />
            <div className="buttons">
              <Button id="save-view-submit" type="submit" look="primary" label={t("directory.save")} />
            </div>
          </LocalForm>
        </Dialog>
      )}
    </nav>
  );
}
