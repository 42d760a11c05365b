"use client";
// Exports all texts of a level into a file, and imports one: it first lists the changes; then each text is checked and
// saved separately. Texts that were changed meanwhile are skipped.
import { useTranslations } from "next-intl";
import { useState } from "react";
import { useTurn } from "../calls/use-turn";
import { Dialog } from "../dialogs/dialog";
import { Button } from "../parts/button";
import { useKnownLanguages, useLanguageNames } from "../parts/known-languages";
import { levelOfScope, type TextScope } from "./address";
import { ask } from "./ask";
import type { MessageType } from "./messages";
import { operationsOn } from "./operations";
import { useTextLabels } from "./text-labels";
import { changedFields, filledValues, savedTextOf } from "./text-state";
import { type FileProblem, type FileText, type PlannedChange, parseFile, planImport } from "./transfer";

export interface TransferDialogProps {
  isOpen: boolean;
  scope: TextScope;
  /** All message types. */
  types: readonly MessageType[];
  /** Called if anything was changed. */
  onDone(): void;
  onClose(): void;
}

/** The result of saving one text. */
type Result = "saved" | "drafted" | "elsewhere" | { refused: string };

export function TransferDialog({ isOpen, scope, types, onDone, onClose }: TransferDialogProps) {
  const t = useTranslations();
  const words = useTextLabels();
  const languages = useKnownLanguages().map(({ tag }) => tag);
  const [problem, setProblem] = useState<FileProblem | "unreachable">();
  const [plan, setPlan] = useState<readonly PlannedChange[]>();
  const [present, setPresent] = useState<readonly FileText[]>([]);
  const [results, setResults] = useState<readonly Result[]>();
  const toDo = plan?.filter(({ kind }) => kind !== "same") ?? [];
  const isRunning = results !== undefined && results.length < toDo.length;
  const begin = useTurn();

  const read = async (file: File | undefined) => {
    const isLast = begin();
    setPlan(undefined);
    setResults(undefined);
    setProblem(undefined);
    if (!file) return;
    const given = parseFile(await file.text(), types, languages);
    if (!isLast()) return;
    if (!Array.isArray(given)) return setProblem(given);
    const known = await ask(operationsOn(scope).exportAll);
    if (!isLast()) return; // another file was chosen in the meantime
    if (!known.ok) return setProblem("unreachable");
    setPresent(known.body.messageTexts);
    setPlan(planImport(known.body.messageTexts, given));
  };

  const save = async ({ address, values }: PlannedChange): Promise<Result> => {
    const { explain, set } = operationsOn(scope);
    const found = await ask(explain, { at: address });
    if (!found.ok) return { refused: t("frame.failed") };
    const { own, sequence } = savedTextOf(levelOfScope(scope), found.body);
    const {
      type: _,
      language: __,
      ...before
    } = present.find(({ type, language }) => type === address.type && language === address.language) ?? { ...address };
    if (changedFields(own, before).length > 0) return "elsewhere";
    const answer = await ask(set, { at: address, body: filledValues(values), ifMatch: `"${sequence}"` });
    if (answer.ok) return answer.body.draft ? "drafted" : "saved";
    if (answer.status === 412) return "elsewhere";
    return { refused: words.refusal(answer.refusal).join(" ") };
  };

  const run = async () => {
    const done: Result[] = [];
    setResults(done); // prevents a second start
    for (const change of toDo) {
      done.push(await save(change));
      setResults([...done]);
    }
    onDone();
  };

  return (
    <Dialog open={isOpen} onClose={onClose} title={t("texts.importTitle")} description={t("texts.importText")}>
      <label className="field">
        <span>{t("texts.importFile")}</span>
        <input
          type="file"
          id="import-file"
          accept="application/json,.json"
          disabled={isRunning}
          onChange={(event) => void read(event.target.files?.[0])}
        />
      </label>
      <div role="status">
        {problem === "unreachable" && <p className="problem">{t("frame.failed")}</p>}
        {problem && problem !== "unreachable" && (
          <p className="problem">{t(`texts.by.fileProblem.${problem.problem}`, { entry: problem.entry })}</p>
        )}
        {plan && <p>{t("texts.importPlan", { changes: toDo.length, same: plan.length - toDo.length })}</p>}
        {results && <p>{t("texts.importProgress", { done: results.length, all: toDo.length })}</p>}
      </div>
      {toDo.length > 0 && <PlanList changes={toDo} results={results ?? []} />}
      <div className="buttons">
        <Button label={results ? t("frame.close") : t("frame.cancel")} onClick={onClose} />
        {toDo.length > 0 && !results && (
          <Button
            id="import-confirm"
            look="primary"
            label={t("texts.importNow", { count: toDo.length })}
            onClick={run}
          />
        )}
      </div>
    </Dialog>
  );
}

function PlanList({ changes, results }: { changes: readonly PlannedChange[]; results: readonly Result[] }) {
  const t = useTranslations();
  const words = useTextLabels();
  const { endonymOf } = useLanguageNames();
  return (
    <ul className="plan">
      {changes.map(({ address, kind, fields }, index) => {
        const result = results[index];
        return (
          <li key={`${address.type}/${address.language}`}>
            <span>
              {words.message(address.type)} · <bdi lang={address.language}>{endonymOf(address.language)}</bdi>
            </span>
            <span className="quiet">{t(`texts.by.plan.${kind}`, { count: fields.length })}</span>
            {result !== undefined && (
              <span className={result === "saved" || result === "drafted" ? "state good" : "problem"}>
                {result === "drafted"
                  ? t("texts.approval.title")
                  : typeof result === "string"
                    ? t(`texts.by.imported.${result}`)
                    : result.refused}
              </span>
            )}
          </li>
        );
      })}
    </ul>
  );
}
