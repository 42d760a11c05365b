"use client";
// Shows that a change of the open text awaits approval or was rejected, and the last decision.
import { useTranslations } from "next-intl";
import { bdi, Name, plainName } from "../../../ui/user-text";
import { Problems } from "../../calls/problems";
import { Button } from "../../parts/button";
import { calledBy } from "./operations";
import type { Approval } from "./use-approval";

export function DraftNotice({ approval }: { approval: Approval }) {
  const t = useTranslations();
  const { draft, isMine, shown, done, refusal } = approval;
  const rejection = draft?.rejection;
  // A rejection is only shown to the author.
  const isShown = draft !== undefined && shown === undefined && (isMine || !rejection);
  return (
    <>
      <p role="status" className="hint draft-done">
        {done && t(done)}
      </p>
      {refusal && !shown && <Problems refusal={refusal} />}
      {isShown && (
        <div className="banner draft-notice">
          <p>
            {rejection
              ? t.rich("texts.approval.rejected", { ...bdi, name: plainName(calledBy(rejection.by)) })
              : isMine
                ? t("texts.approval.mine")
                : t.rich("texts.approval.theirs", { ...bdi, name: plainName(calledBy(draft.author)) })}{" "}
            <Button id="review-draft" look="plain" label={t("texts.approval.review")} onClick={approval.review} />
          </p>
          {rejection?.comment && (
            <blockquote>
              <Name>{rejection.comment}</Name>
            </blockquote>
          )}
        </div>
      )}
    </>
  );
}
