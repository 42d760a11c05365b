"use client";
// Makes somebody a manager: a person found by name, and any number of roles.
import { useTranslations } from "next-intl";
import { Choice } from "../choice";
import { CheckboxGroup, type Option } from "../fields";
import { FormDialog } from "../form-dialog";
import { findUsers } from "./find-users";

export interface AddMemberProps {
  operation: string;
  roles: readonly (Option & { hint?: string })[];
  /** Anybody may be chosen, not only people of the organization. */
  isOfInstance: boolean;
}

export function AddMember({ operation, roles, isOfInstance }: AddMemberProps) {
  const t = useTranslations();
  return (
    <FormDialog
      id="add-member"
      label={t("directory.addMember")}
      triggerLook="primary"
      title={t("directory.addMember")}
      method="POST"
      path={operation}
      submit={t("directory.add")}
      done={t("directory.saved")}
    >
      <Choice
        name="userId"
        label={t("directory.who")}
        required
        search={(typed) => findUsers(typed, isOfInstance ? "instance" : "organization")}
      />
      <CheckboxGroup name="roles" legend={t("directory.roles")} options={roles} />
    </FormDialog>
  );
}
