"use client";
// Views of the list of people: those that everybody has, and those that somebody keeps in this browser, under a name of
// their own. Choice: in the browser, as a view is a habit of one person at one desk, and names no person.
import { useTranslations } from "next-intl";
import { type FormEvent, useEffect, useState } from "react";
import { Dialog } from "../dialog";
import { TextField } from "../fields";

interface View {
  name: string;
  /** The address's parameters: `state=locked&sort=name`. */
  query: string;
}

const MAX_VIEWS = 20;

/** What somebody else wrote into the storage is not shown. */
function readViews(place: string): View[] {
  try {
    const stored = JSON.parse(localStorage.getItem(place) ?? "[]") as View[];
    return stored
      .filter(({ name, query }) => typeof name === "string" && typeof query === "string")
      .slice(0, MAX_VIEWS);
  } catch {
    return [];
  }
}

export interface SavedViewsProps {
  /** The address of the list without its query. */
  path: string;
  /** Of the list as it is shown. */
  query: string;
  builtIn: readonly View[];
}

export function SavedViews({ path, query, builtIn }: SavedViewsProps) {
  const t = useTranslations();
  const place = `views ${path}`;
  const [own, setOwn] = useState<readonly View[]>([]);
  const [isOpen, setOpen] = useState(false);
  useEffect(() => setOwn(readViews(place)), [place]);
  const keep = (views: readonly View[]) => {
    setOwn(views);
    try {
      localStorage.setItem(place, JSON.stringify(views));
    } catch {
      // The browser keeps nothing: the view lasts as long as the page.
    }
  };
  const save = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const name = String(new FormData(event.currentTarget).get("name") ?? "").trim();
    if (name === "") return;
    keep([...own.filter((view) => view.name !== name), { name, query }].slice(-MAX_VIEWS));
    setOpen(false);
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
          <form className="form" onSubmit={save}>
            <TextField
              name="name"
              label={t("directory.viewName")}
              hint={t("directory.viewNameHint")}
              required
              maxLength={60}
            />
            <div className="buttons">
              <button type="submit" id="save-view-submit" className="primary">
                {t("directory.save")}
              </button>
            </div>
          </form>
        </Dialog>
      )}
    </nav>
  );
}
