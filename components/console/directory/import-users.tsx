"use client";
// Imports many users: reads a file, validates it in a dry run, and imports it after the report is accepted.
import { useTranslations } from "next-intl";
import { useEffect, useRef, useState } from "react";
import type { AnswerOf } from "../../../shared/declared";
import { BulkImportHumanUsers } from "../../../shared/generated/operations";
import { besideField, type Refusal } from "../../../shared/refusal";
import { callOperation } from "../calls/call";
import { Problems } from "../calls/problems";
import { useRefusalText } from "../calls/refusal-text";
import { useTurn } from "../calls/use-turn";
import { Table } from "../lists/table";
import { Button } from "../parts/button";
import { CodeBlock } from "../parts/code-block";
import { COLUMN_NAMES, columnOf, type ImportedUser, parsePeople } from "./read-people-file";

type Report = AnswerOf<"BulkImportHumanUsers">;

/** The number of rows of the report that are shown; the others are only counted. */
const SHOWN = 100;
const EXAMPLE = `${COLUMN_NAMES.join(",")}\neva,Eva,Berg,,de,eva@example.com,true,,\n`;

export function ImportUsers() {
  const t = useTranslations();
  const refusalText = useRefusalText();
  const [users, setUsers] = useState<ImportedUser[]>();
  const [isUnreadable, setUnreadable] = useState(false);
  const [report, setReport] = useState<Report>();
  const [refusal, setRefusal] = useState<Refusal>();
  const [isBusy, setBusy] = useState(false);
  const begin = useTurn();

  const run = async (list: ImportedUser[], dryRun: boolean, isLast = begin()) => {
    setBusy(true);
    const body = { dryRun, mode: "EACH_BY_ITSELF", users: list } as const;
    const answer = await callOperation(BulkImportHumanUsers, { body });
    if (!isLast()) return; // another file was chosen in the meantime
    setBusy(false);
    setReport(answer.ok ? answer.body : undefined);
    setRefusal(answer.ok ? undefined : answer.refusal);
  };
  const choose = async (file: File | undefined) => {
    const isLast = begin();
    setBusy(false);
    setReport(undefined);
    setRefusal(undefined);
    const read = file && parsePeople(await file.text());
    if (!isLast()) return;
    setUsers(read);
    setUnreadable(file !== undefined && read === undefined);
    if (read) await run(read, true, isLast);
  };
  const input = useRef<HTMLInputElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, for a file that was chosen before this script ran
  useEffect(() => {
    const file = input.current?.files?.[0];
    if (file) void choose(file);
  }, []);
  const refused = report?.results.filter(({ error }) => error) ?? [];
  const mistakes = refused
    .slice(0, SHOWN)
    .flatMap(({ index, userName, errors = [] }) => errors.map((error) => ({ index, userName, error })));
  return (
    <>
      <div className="card form">
        <div className="field">
          <label htmlFor="file">{t("directory.importFile")}</label>
          <p className="hint">{t("directory.importFileHint")}</p>
          <input
            type="file"
            id="file"
            accept=".csv,.json,text/csv,application/json"
            ref={input}
            disabled={isBusy && report !== undefined}
            onChange={({ target }) => void choose(target.files?.[0])}
          />
        </div>
        <CodeBlock label={t("directory.importExample")} code={EXAMPLE} />
      </div>
      <div role="status">
        {isBusy && <p>{t("directory.importing")}</p>}
        {isUnreadable && <p className="field-problem">{t("directory.unreadable")}</p>}
        {report?.dryRun && <p>{t("directory.importable", { created: report.created, refused: report.refused })}</p>}
        {report && !report.dryRun && (
          <p className="banner">{t("directory.imported", { created: report.created, refused: report.refused })}</p>
        )}
      </div>
      <Problems refusal={refusal} />
      {report?.dryRun && users && report.created > 0 && (
        <p>
          <Button
            id="import"
            look="primary"
            label={t("directory.importNow", { count: report.created })}
            isDisabled={isBusy}
            onClick={() => isBusy || void run(users, false)}
          />
        </p>
      )}
      {refused.length > 0 && (
        <>
          <h2>{t("directory.refusedRows")}</h2>
          <Table
            caption={t("directory.refusedRows")}
            rows={mistakes}
            keyOf={({ index, error }) => `${index} ${error.field} ${error.id}`}
            empty={null}
            columns={[
              { id: "row", label: t("directory.row"), cell: ({ index }) => index + 1 },
              { id: "name", label: t("directory.userName"), cell: ({ userName }) => <bdi>{userName}</bdi> },
              { id: "why", label: t("directory.why"), cell: ({ error }) => besideField(error, refusalText(error)) },
              {
                id: "field",
                label: t("directory.field"),
                cell: ({ error }) => error.field && <code>{columnOf(error.field)}</code>,
              },
            ]}
          />
          {refused.length > SHOWN && <p>{t("directory.moreRows", { count: refused.length - SHOWN })}</p>}
        </>
      )}
    </>
  );
}
