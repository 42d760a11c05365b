"use client";
// The selection in the list of users. The boxes are in the rows, which the server renders; the actions are in a bar
// above the list.
import { useTranslations } from "next-intl";
import { createContext, type ReactNode, useContext, useMemo, useState } from "react";

/** A user of the list who can be selected. */
export interface Selectable {
  id: string;
  name: string;
  /** The user's organization, in which the user is changed. */
  organizationId: string;
}

interface Selection {
  people: readonly Selectable[];
  /** The selected users in the order of the list, without those who are no longer on the page. */
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
