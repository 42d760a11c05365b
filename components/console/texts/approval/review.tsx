"use client";
// A change that awaits approval: its differences, field by field, and the decision. The preview next to it shows the
// result.
import { useTranslations } from "next-intl";
import { useEffect, useRef, useState } from "react";
import { bdi, plainName } from "../../../ui/user-text";
import { Problems } from "../../calls/problems";
import { Button } from "../../parts/button";
import { Moment } from "../../parts/moment";
import { Difference } from "../difference";
import { changedFields, type SavedText } from "../text-state";
import { calledBy, type TextDraft } from "./operations";
import type { Approval } from "./use-approval";

export interface ReviewProps {
  approval: Approval;
  draft: TextDraft;
  /** The text that applies to fields that the level does not set; undefined until it is loaded. */
  saved: SavedText | undefined;
  labelOf(field: string): string;
  /** Whether the visitor may change this text. */
  mayWrite: boolean;
}

export function Review({ approval, draft, saved, labelOf, mayWrite }: ReviewProps) {
  const t = useTranslations();
  const [comment, setComment] = useState("");
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const { fields, base, own, isOvertaken, author, creationDate, rejection } = draft;
  const { isMine, isBusy, refusal } = approval;
  return (
    <section className="review" aria-labelledby="review-title">
      <h3 id="review-title" tabIndex={-1} ref={heading}>
        {t.rich("texts.approval.changeBy", { ...bdi, name: plainName(calledBy(author)) })}
      </h3>
      <p className="quiet">
        <Moment at={Date.parse(creationDate)} />
      </p>
      {isOvertaken && (
        <div className="banner warned" id="overtaken">
          <p>{t("texts.approval.overtaken")}</p>
          <Changes before={base} after={own} draft={draft} saved={saved} labelOf={labelOf} />
        </div>
      )}
      {Object.keys(fields).length === 0 && <p>{t("texts.approval.resets")}</p>}
      <Changes before={own} after={fields} draft={draft} saved={saved} labelOf={labelOf} />
      {refusal && <Problems refusal={refusal} />}
      {mayWrite && !isMine && !rejection && (
        <label className="field">
          <span>{t("texts.approval.comment")}</span>
          <textarea
            id="draft-comment"
            rows={2}
            maxLength={1000}
            value={comment}
            onChange={(event) => setComment(event.target.value)}
          />
        </label>
      )}
      <div className="buttons">
        <Button label={t("frame.close")} onClick={approval.close} />
        {mayWrite && isMine && (
          <>
            <Button
              id="withdraw-draft"
              label={t("texts.approval.withdraw")}
              isDisabled={isBusy}
              onClick={approval.withdraw}
            />
            <Button id="edit-draft" look="primary" label={t("texts.approval.edit")} onClick={approval.edit} />
          </>
        )}
        {mayWrite && !isMine && !rejection && (
          <>
            <Button
              id="reject-draft"
              look="danger"
              label={t("texts.approval.reject")}
              isDisabled={isBusy}
              onClick={() => void approval.reject(comment)}
            />
            <Button
              id="approve-draft"
              look="primary"
              label={t(isOvertaken ? "texts.approval.approveAnyway" : "texts.approval.approve")}
              isDisabled={isBusy}
              onClick={approval.approve}
            />
          </>
        )}
      </div>
    </section>
  );
}

interface ChangesProps extends Pick<ReviewProps, "draft" | "saved" | "labelOf"> {
  before: Readonly<Record<string, string>>;
  after: Readonly<Record<string, string>>;
}

/** The differences as readers see them: fields that are not set show the inherited text. */
function Changes({ before, after, draft: { language }, saved, labelOf }: ChangesProps) {
  const read = (fields: ChangesProps["before"], field: string) =>
    fields[field] || (saved?.inherited[field]?.text ?? "");
  return (
    <dl className="text-changes">
      {changedFields(before, after).map((field) => (
        <div key={field}>
          <dt>{labelOf(field)}</dt>
          <dd>
            <Difference before={read(before, field)} after={read(after, field)} language={language} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
