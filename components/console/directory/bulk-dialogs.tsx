"use client";
// The dialogs of the bulk actions: an action that cannot be undone lists the affected users first, and roles are
// chosen.
import { useTranslations } from "next-intl";
import { useState } from "react";
import { Dialog } from "../dialogs/dialog";
import type { Choosable } from "../forms/choosable";
import { LocalForm } from "../forms/local-form";
import { Button } from "../parts/button";
import { ProjectRoleChoice, type RoleChosen, rolesOf } from "./project-role-choice";
import type { Selectable } from "./user-selection";

/** The maximum number of names that a question lists. */
const NAMED = 10;

interface BulkConfirmProps {
  id: string;
  label: string;
  title: string;
  text: string;
  people: readonly Selectable[];
  act(): Promise<void>;
}

export function BulkConfirm({ id, label, title, text, people, act }: BulkConfirmProps) {
  const t = useTranslations();
  const [isOpen, setOpen] = useState(false);
  const confirm = () => {
    setOpen(false);
    void act();
  };
  return (
    <Dialog title={title} trigger={{ id, label, look: "danger" }} open={isOpen} onOpenChange={setOpen}>
      <div className="prose">
        <ul className="names">
          {people.slice(0, NAMED).map((person) => (
            <li key={person.id}>
              <bdi>{person.name}</bdi>
            </li>
          ))}
          {people.length > NAMED && <li>…</li>}
        </ul>
        <p>{text}</p>
      </div>
      <div className="buttons">
        <Button label={t("frame.cancel")} onClick={() => setOpen(false)} />
        <Button id={`${id}-confirm`} look="danger" label={label} onClick={confirm} />
      </div>
    </Dialog>
  );
}

interface BulkRolesProps {
  title: string;
  /** The organization whose roles are offered. */
  organizationId: string;
  give(roles: RoleChosen): Promise<void>;
}

export function BulkRoles({ title, organizationId, give }: BulkRolesProps) {
  const t = useTranslations();
  const [isOpen, setOpen] = useState(false);
  const [role, setRole] = useState<Choosable | null>(null);
  const send = () => {
    const roles = rolesOf(role);
    if (!roles) return;
    setOpen(false);
    void give(roles);
  };
  return (
    <Dialog
      title={title}
      trigger={{ id: "bulk-roles", label: t("directory.addGrant") }}
      open={isOpen}
      onOpenChange={setOpen}
    >
      <LocalForm labels={{ role: t("directory.role") }} onSend={send}>
        <ProjectRoleChoice label={t("directory.role")} required organizationId={organizationId} onChoose={setRole} />
        <div className="buttons">
          <Button label={t("frame.cancel")} onClick={() => setOpen(false)} />
          <Button id="bulk-roles-submit" type="submit" look="primary" label={t("directory.addGrant")} />
        </div>
      </LocalForm>
    </Dialog>
  );
}
