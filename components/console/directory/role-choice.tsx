// Selects roles of a project; renders nothing if it has none. In its own file, because a dialog does not need the texts
// of the columns.
import { useTranslations } from "next-intl";
import { CheckboxGroup } from "../fields";
import type { ProjectRole } from "../projects/project";

export function RoleChoice({ roles }: { roles: readonly ProjectRole[] }) {
  const t = useTranslations();
  if (roles.length === 0) return null;
  const options = roles.map(({ key, displayName }) => ({ value: key, label: displayName || key }));
  return <CheckboxGroup name="roleKeys" legend={t("directory.roles")} options={options} />;
}
