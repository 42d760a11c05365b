"use client";
// Compares three versions: the built-in text at the time of customization, the current built-in text, and the custom
// text. The two built-in versions are shown as one with the differences marked.
import { useTranslations } from "next-intl";
import { Dialog } from "../dialogs/dialog";
import { Button } from "../parts/button";
import { useLanguageNames } from "../parts/known-languages";
import { Difference } from "./difference";
import { isBlank, type SavedText, type Values } from "./text-state";

export interface BuiltInDialogProps {
  isOpen: boolean;
  saved: SavedText;
  values: Values;
  language: string;
  labelOf(field: string): string;
  mayWrite: boolean;
  onRevert(field: string): void;
  onKeep(): void;
  onClose(): void;
}

export function BuiltInDialog(props: BuiltInDialogProps) {
  const { isOpen, saved, values, language, labelOf, mayWrite, onRevert, onKeep, onClose } = props;
  const t = useTranslations();
  const { writingOf } = useLanguageNames();
  const writing = { lang: language, dir: writingOf(language) };
  return (
    <Dialog open={isOpen} onClose={onClose} title={t("texts.builtInTitle")}>
      {Object.entries(saved.outdated).map(([field, change]) => {
        const yours = values[field] ?? "";
        return (
          change && (
            <section key={field} className="three-ways" aria-label={labelOf(field)}>
              <h3>{labelOf(field)}</h3>
              <dl>
                <dt>{t("texts.builtInThen")}</dt>
                <dd {...writing}>{change.before}</dd>
                <dt>{t("texts.builtInNow")}</dt>
                <dd>
                  <Difference before={change.before} after={change.now} language={language} />
                </dd>
                <dt>{t("texts.by.side.mine")}</dt>
                <dd {...writing}>{isBlank(yours) ? t("texts.by.state.blank") : yours || t("texts.notSet")}</dd>
              </dl>
              {mayWrite && yours && <Button label={t("texts.builtInUse")} onClick={() => onRevert(field)} />}
            </section>
          )
        );
      })}
      <div className="buttons">
        <Button label={t("frame.close")} onClick={onClose} />
        {mayWrite && <Button id="keep-texts" look="primary" label={t("texts.builtInKeep")} onClick={onKeep} />}
      </div>
    </Dialog>
  );
}
