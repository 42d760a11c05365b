"use client";
// Invites several users by their addresses. The first request is a dry run: if any address is invalid, nothing is sent
// and each problem is listed; then the others can be invited. Finally the invited addresses are listed.
import { useTranslations } from "next-intl";
import { type FormEvent, useRef, useState } from "react";
import type { AnswerOf, BodyOf } from "../../../shared/declared";
import { InviteUsers } from "../../../shared/generated/operations";
import { pageAddress } from "../../../shared/pages";
import { noAnswer, type Refusal } from "../../../shared/refusal";
import { callOperation } from "../calls/call";
import { Problems, RefusedForm } from "../calls/problems";
import type { Choosable } from "../forms/choosable";
import { LongTextField } from "../forms/fields";
import { FormContext, useFields } from "../forms/form-state";
import { LeaveDialog } from "../forms/leave-dialog";
import { useLeaveGuard } from "../forms/use-leave-guard";
import { useValidity } from "../forms/validity";
import { Button } from "../parts/button";
import { InviteResults } from "./invite-results";
import { ProjectRoleChoice, rolesOf } from "./project-role-choice";

/** The limit of the operation. */
const MAX_ADDRESSES = 100;

type Report = AnswerOf<"InviteUsers">;
type Wanted = NonNullable<BodyOf<"InviteUsers">>;

/** Splits pasted addresses: separated by line breaks, commas, semicolons or spaces, also in the form `Ada <ada@…>`. */
export function addressesIn(typed: string): string[] {
  return typed
    .split(/[\n,;]+/)
    .flatMap((part) => /<([^<>]*)>/.exec(part)?.[1]?.trim() ?? part.trim().split(/\s+/))
    .filter((part) => part !== "");
}

export function InvitePeople({ organizationId, mayGive }: { organizationId: string; mayGive: boolean }) {
  const t = useTranslations();
  const [sent, setSent] = useState<Report>();
  const users = pageAddress("users", organizationId);
  if (!sent) return <InviteForm users={users} mayGive={mayGive} onSent={setSent} />;
  return (
    <>
      <InviteResults report={sent} users={users} />
      <div className="buttons">
        <a className="button primary" href={`${users}?state=invited`}>
          {t("directory.by.savedView.invited")}
        </a>
        <Button id="invite-more" label={t("directory.inviteMore")} onClick={() => setSent(undefined)} />
      </div>
    </>
  );
}

interface InviteFormProps {
  /** The address of the list of users. */
  users: string;
  mayGive: boolean;
  onSent(report: Report): void;
}

function InviteForm({ users, mayGive, onSent }: InviteFormProps) {
  const t = useTranslations();
  const form = useRef<HTMLFormElement>(null);
  const fields = useFields();
  const validity = useValidity(fields.labelOf);
  const [role, setRole] = useState<Choosable | null>(null);
  const [report, setReport] = useState<Report>();
  const [refusal, setRefusal] = useState<Refusal>();
  const [isBusy, setBusy] = useState(false);
  const guard = useLeaveGuard(fields.isEdited || role !== null);

  const send = async (mode: Wanted["mode"]) => {
    if (isBusy || !form.current) return;
    const wrong = validity(form.current);
    setReport(undefined);
    if (wrong) return setRefusal(wrong);
    setBusy(true);
    const body = { emails: addressesIn(String(fields.values().emails)), mode, ...rolesOf(role) };
    const answer = await callOperation(InviteUsers, { body }).catch(noAnswer);
    setBusy(false);
    setRefusal(answer.ok ? undefined : answer.refusal);
    if (!answer.ok) return;
    if (answer.body.invited > 0) onSent(answer.body);
    else setReport(answer.body);
  };
  const others = report ? report.results.length - report.refused : 0;
  return (
    <form
      id="invite"
      className="form card"
      ref={form}
      noValidate
      aria-busy={isBusy}
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        void send("ALL_OR_NOTHING");
      }}
    >
      <Problems refusal={refusal} />
      {report && <InviteResults report={report} users={users} />}
      <RefusedForm value={refusal}>
        <FormContext value={fields.form}>
          <LongTextField
            name="emails"
            label={t("directory.inviteEmails")}
            hint={t("directory.inviteEmailsHint", { most: MAX_ADDRESSES })}
            rows={6}
            required
          />
        </FormContext>
        {mayGive && <ProjectRoleChoice label={t("directory.inviteRole")} onChoose={setRole} />}
      </RefusedForm>
      <div className="buttons">
        <Button
          id="invite-submit"
          type="submit"
          look="primary"
          label={t("directory.sendInvitations")}
          isDisabled={isBusy}
        />
        {others > 0 && (
          <Button
            id="invite-others"
            label={t("directory.inviteOthers", { count: others })}
            isDisabled={isBusy}
            onClick={() => void send("EACH_BY_ITSELF")}
          />
        )}
      </div>
      <LeaveDialog guard={guard} title={t("frame.leaveTitle")} text={t("frame.leaveText")} />
    </form>
  );
}
