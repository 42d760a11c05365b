"use client";
// The fields of a membership: the roles, grouped by what they reach, and the languages of the roles for texts.
import { useTranslations } from "next-intl";
import { useState } from "react";
import { CheckboxGroup } from "../forms/fields";
import { withHint } from "../forms/with-hint";
import { useKnownLanguages } from "../parts/known-languages";

/** The groups of roles, those that reach least first; each begins with its least powerful role. */
const REACHES = {
  texts: ["ORG_TRANSLATOR", "ORG_TEXT_EDITOR", "ORG_SETTINGS_MANAGER"],
  users: ["ORG_USER_PERMISSION_EDITOR", "ORG_USER_MANAGER", "IAM_USER_MANAGER"],
  projects: [
    ...["ORG_PROJECT_PERMISSION_EDITOR", "ORG_PROJECT_CREATOR", "PROJECT_OWNER_VIEWER", "PROJECT_OWNER"],
    ...["PROJECT_GRANT_OWNER_VIEWER", "PROJECT_GRANT_OWNER", "PROJECT_OWNER_VIEWER_GLOBAL", "PROJECT_OWNER_GLOBAL"],
  ],
  organization: ["ORG_OWNER_VIEWER", "ORG_OWNER"],
  instance: ["IAM_LOGIN_CLIENT", "IAM_OWNER_VIEWER", "IAM_ORG_MANAGER", "IAM_OWNER"],
  impersonation: [
    ...["ORG_END_USER_IMPERSONATOR", "ORG_ADMIN_IMPERSONATOR"],
    ...["IAM_END_USER_IMPERSONATOR", "IAM_ADMIN_IMPERSONATOR"],
  ],
  self: ["ORG_USER_SELF_MANAGER", "SELF_MANAGEMENT_GLOBAL"],
} as const;

type NamedRole = (typeof REACHES)[keyof typeof REACHES][number];
const REACH_NAMES = Object.keys(REACHES) as (keyof typeof REACHES)[];
const NAMED: readonly string[] = REACH_NAMES.flatMap((reach) => [...REACHES[reach]]);
const isNamed = (role: string): role is NamedRole => NAMED.includes(role);

/** Roles that can be limited to languages. */
const TEXT_ROLES: readonly string[] = ["ORG_TRANSLATOR", "ORG_TEXT_EDITOR"];

/** The name of a role, with its key in grey. */
export function RoleName({ role }: { role: string }) {
  const t = useTranslations();
  if (!isNamed(role)) return <code>{role}</code>;
  return (
    <>
      {t(`directory.by.roleName.${role}`)} <code className="quiet">{role}</code>
    </>
  );
}

export interface MemberRolesProps {
  /** The keys of the roles to choose from. */
  roles: readonly string[];
  chosen?: readonly string[];
  languages?: readonly string[];
}

export function MemberRoles({ roles, chosen = [], languages = [] }: MemberRolesProps) {
  const t = useTranslations();
  const known = useKnownLanguages();
  const [hasTextRole, setTextRole] = useState(chosen.some((role) => TEXT_ROLES.includes(role)));
  const option = (role: string, group: string) => ({
    value: role,
    label: isNamed(role) ? t(`directory.by.roleName.${role}`) : role,
    code: isNamed(role) ? role : undefined,
    hint: isNamed(role) ? t(`directory.by.role.${role}`) : undefined,
    group,
  });
  const options = [
    ...REACH_NAMES.flatMap((reach) =>
      REACHES[reach]
        .filter((role) => roles.includes(role))
        .map((role) => option(role, t(`directory.by.roleReach.${reach}`))),
    ),
    ...roles.filter((role) => !isNamed(role)).map((role) => option(role, t("directory.otherRoles"))),
  ];
  return (
    <>
      <CheckboxGroup
        name="roles"
        label={t("directory.roles")}
        options={options}
        chosen={chosen}
        onChoose={(values) => setTextRole(values.some((role) => TEXT_ROLES.includes(role)))}
      />
      {hasTextRole && (
        <CheckboxGroup
          name="languages"
          {...withHint(t, "directory.roleLanguages")}
          options={known.map(({ tag, endonym }) => ({ value: tag, label: endonym }))}
          chosen={languages}
        />
      )}
    </>
  );
}
