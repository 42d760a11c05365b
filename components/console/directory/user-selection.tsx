"use client";
// Who is selected in the list of people. The boxes stand in the rows, which the server renders; what is done with those
// selected stands in a bar above the list.
import { useTranslations } from "next-intl";
import { createContext, type ReactNode, useContext, useMemo, useState } from "react";

/** Somebody of the list who can be selected. */
export interface Selectable {
  id: string;
  name: string;
  /** Where they belong, and are changed. */
  organizationId: string;
}

interface Selection {
  people: readonly Selectable[];
  /** In the order of the list; who is no longer on the page is none of them. */
  chosen: readonly Selectable[];
  choose(ids: readonly string[] | ((now: readonly string[]) => readonly string[])): void;
}

const Selected = createContext<Selection>({ people: [], chosen: [], choose: () => {} });

export const useSelection = (): Selection => useContext(Selected);

export function UserSelection({ people, children }: { people: readonly Selectable[]; children: ReactNode }) {
  const [ids, choose] = useState<readonly string[]>([]);
  const selection = useMemo(
    () => ({ people, chosen: people.filter(({ id }) => ids.includes(id)), choose }),
    [people, ids],
  );
  return <Selected value={selection}>{children}</Selected>;
}

export function SelectUser({ id, name }: Pick<Selectable, "id" | "name">) {
  const t = useTranslations();
  const { chosen, choose } = useSelection();
  const ids = chosen.map((one) => one.id);
  return (
    <input
      type="checkbox"
      aria-label={t("directory.select", { name })}
      checked={ids.includes(id)}
      onChange={({ target }) => choose(target.checked ? [...ids, id] : ids.filter((one) => one !== id))}
    />
  );
}

export function SelectAllUsers() {
  const t = useTranslations();
  const { people, chosen, choose } = useSelection();
  const isAll = people.length > 0 && chosen.length === people.length;
  return (
    <input
      type="checkbox"
      aria-label={t("directory.selectAll")}
      checked={isAll}
      ref={(box) => {
        if (box) box.indeterminate = chosen.length > 0 && !isAll;
      }}
      onChange={() => choose(isAll ? [] : people.map(({ id }) => id))}
    />
  );
}
