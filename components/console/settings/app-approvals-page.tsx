// What an organization decided about apps of others for its own users: allowed ones are not asked about, blocked ones
// get no access.
import { useTranslations } from "next-intl";
import type { AnswerOf } from "../../../shared/declared";
import { RemoveClientDecision, SetClientDecision } from "../../../shared/generated/operations";
import { Name } from "../../ui/user-text";
import { ConfirmButton } from "../dialogs/confirm-button";
import { SelectField, TextField } from "../forms/fields";
import { FormDialog } from "../forms/form-dialog";
import { withHint } from "../forms/with-hint";
import { Table } from "../lists/table";
import { TokenPager } from "../lists/token-pager";

export interface AppApprovalsPageProps {
  decisions: AnswerOf<"ListClientDecisions">;
  mayWrite: boolean;
  mayDelete: boolean;
  /** The address of the page. */
  path: string;
  isFirstPage: boolean;
}

const KINDS = ["CLIENT_DECISION_KIND_CLIENT", "CLIENT_DECISION_KIND_HOST"] as const;
const DECISIONS = ["CLIENT_DECISION_ALLOW", "CLIENT_DECISION_FORBID"] as const;

export function AppApprovalsPage({ decisions, mayWrite, mayDelete, path, isFirstPage }: AppApprovalsPageProps) {
  const t = useTranslations();
  return (
    <>
      <div className="head">
        <h1>{t("pages.app_approvals")}</h1>
        {mayWrite && <AddApproval />}
      </div>
      <p className="lead">{t("settings.approvalsLead")}</p>
      <Table
        caption={t("pages.app_approvals")}
        rows={decisions.result}
        keyOf={({ id }) => id}
        empty={<p>{t("settings.approvalsNone")}</p>}
        columns={[
          {
            id: "value",
            label: t("settings.approvalsApp"),
            size: "text",
            isPlain: true,
            title: ({ value }) => value,
            cell: ({ value, appName }) =>
              value === "*" ? t("settings.approvalsAll") : appName ? <Name>{appName}</Name> : <bdi>{value}</bdi>,
          },
          {
            id: "kind",
            label: t("settings.approvalsBy"),
            size: "fit",
            cell: ({ kind }) => t(`settings.by.approvalKind.${kind}`),
          },
          {
            id: "decision",
            label: t("settings.approvalsDecision"),
            size: "fit",
            cell: ({ decision }) => (
              <span className={decision === "CLIENT_DECISION_ALLOW" ? "state good" : "state"}>
                {t(`settings.by.approval.${decision}`)}
              </span>
            ),
          },
          { id: "changed", label: t("settings.approvalsChanged"), date: ({ changeDate }) => changeDate },
        ]}
        actions={({ id, value }) =>
          mayDelete && (
            <ConfirmButton
              id={`remove-${id}`}
              triggerLook="plain"
              label={t("directory.remove")}
              title={t("directory.removeTitle", { name: value })}
              text={<p>{t("settings.approvalsRemoveText")}</p>}
              operation={RemoveClientDecision}
              at={{ decisionId: id }}
              done={t("directory.removed")}
            />
          )
        }
      />
      <TokenPager path={path} isFirstPage={isFirstPage} nextPageToken={decisions.nextPageToken} />
    </>
  );
}

function AddApproval() {
  const t = useTranslations();
  return (
    <FormDialog
      id="add-approval"
      triggerLook="primary"
      label={t("settings.approvalsAdd")}
      operation={SetClientDecision}
      submit={t("directory.add")}
      done={t("directory.saved")}
    >
      <SelectField
        name="kind"
        label={t("settings.approvalsBy")}
        options={KINDS.map((value) => ({ value, label: t(`settings.by.approvalKind.${value}`) }))}
      />
      <TextField name="value" {...withHint(t, "settings.approvalsValue")} required maxLength={300} />
      <SelectField
        name="decision"
        {...withHint(t, "settings.approvalsDecision")}
        options={DECISIONS.map((value) => ({ value, label: t(`settings.by.approval.${value}`) }))}
      />
    </FormDialog>
  );
}
