"use client";
// Makes a user a manager: a user found by name, and any number of roles.
import { useTranslations } from "next-intl";
import type { Declared } from "../../../shared/declared";
import { FormDialog } from "../forms/form-dialog";
import { MemberRoles } from "./member-roles";
import { UserChoice, type UserPlace } from "./user-choice";

export interface AddMemberProps {
  operation: Declared<"AddIAMMember" | "AddOrgMember" | "AddProjectMember" | "AddProjectGrantMember">;
  at: { projectId: string; grantId?: string } | undefined;
  /** The keys of the roles to choose from. */
  roles: readonly string[];
  among: UserPlace;
}

export function AddMember({ operation, at, roles, among }: AddMemberProps) {
  const t = useTranslations();
  return (
    <FormDialog
      id="add-member"
      label={t("directory.addMember")}
      triggerLook="primary"
      operation={operation}
      at={at}
      submit={t("directory.add")}
      done={t("directory.saved")}
    >
      <UserChoice among={among} />
      <MemberRoles roles={roles} />
    </FormDialog>
  );
}
