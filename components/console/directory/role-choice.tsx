// Selects roles of a project; renders nothing if it has none. In its own file, because a dialog does not need the texts
// of the columns.
import { useTranslations } from "next-intl";
import type { Schemas } from "../../../server/api/generated/operations";
import { CheckboxGroup } from "../forms/fields";

interface RoleChoiceProps {
  roles: readonly Pick<Schemas["ProjectRole"], "key" | "displayName">[];
  /** The keys of the roles that are selected at first. */
  chosen?: readonly string[];
}

export function RoleChoice({ roles, chosen }: RoleChoiceProps) {
  const t = useTranslations();
  if (roles.length === 0) return null;
  const options = roles.map(({ key, displayName }) => ({ value: key, label: displayName || key }));
  return <CheckboxGroup name="roleKeys" label={t("directory.roles")} options={options} chosen={chosen} />;
}
