"use client";
// Makes a user a manager: a user found by name, and any number of roles.
import { useTranslations } from "next-intl";
import type { Declared } from "../../../shared/declared";
import { CheckboxGroup } from "../forms/fields";
import { FormDialog } from "../forms/form-dialog";
import type { Option } from "../forms/inputs";
import { UserChoice } from "./user-choice";

export interface AddMemberProps {
  operation: Declared<"AddIAMMember" | "AddOrgMember" | "AddProjectMember">;
  at: { projectId: string } | undefined;
  roles: readonly (Option & { hint?: string })[];
  /** Where users are searched; undefined if the visitor may not search. */
  among: "instance" | "organization" | undefined;
}

export function AddMember({ operation, at, roles, among }: AddMemberProps) {
  const t = useTranslations();
  return (
    <FormDialog
      id="add-member"
      label={t("directory.addMember")}
      triggerLook="primary"
      title={t("directory.addMember")}
      operation={operation}
      at={at}
      submit={t("directory.add")}
      done={t("directory.saved")}
    >
      <UserChoice among={among} />
      <CheckboxGroup name="roles" legend={t("directory.roles")} options={roles} />
    </FormDialog>
  );
}
