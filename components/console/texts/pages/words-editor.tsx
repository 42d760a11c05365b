"use client";
// The editor of page texts: pages, words, preview. It works like the editor of messages and shares its state, fields,
// dialogs and guards; all words of one language form one text.
import { useTranslations } from "next-intl";
import { useMemo, useState } from "react";
import { QueriesProvider } from "../../calls/queries";
import { useLeaveGuard } from "../../forms/use-leave-guard";
import { useLanguageNames } from "../../parts/known-languages";
import { levelOfScope, type TextScope, textsLogAddress } from "../address";
import type { TextDraftSummary } from "../approval/operations";
import { useApproval } from "../approval/use-approval";
import { WaitingList } from "../approval/waiting-list";
import { ask } from "../ask";
import { AllTexts } from "../messages/all-texts";
import type { WordsAddress } from "../page-address";
import { type Pane, Panes } from "../panes";
import { TextDialogs } from "../text-dialogs";
import { useRenderedPreview } from "../use-rendered-preview";
import { useSaveKey } from "../use-save-key";
import { useTexts } from "../use-texts";
import { PageList } from "./page-list";
import { PageView } from "./page-view";
import { WordPane, type WordsDialog } from "./word-pane";
import {
  type PagePreview,
  pagePreview,
  savedWordsOf,
  type WordsExplanation,
  wordOperationsOn,
  wordsKind,
} from "./words-kind";

export interface WordsEditorProps {
  /** The organization; undefined for the words of the instance. */
  organizationId: string | undefined;
  organizationName: string | undefined;
  /** The user who owns the drafts. */
  userId: string;
  mayWrite: boolean;
  /** The languages in which the visitor may write; undefined for all. */
  ownLanguages: readonly string[] | undefined;
  languages: readonly string[];
  initial: {
    address: WordsAddress;
    explanation: WordsExplanation;
    preview: PagePreview;
    drafts: readonly TextDraftSummary[];
  };
}

export const WordsEditor = (props: WordsEditorProps) => (
  <QueriesProvider>
    <Editor {...props} />
  </QueriesProvider>
);

function Editor(props: WordsEditorProps) {
  const { organizationId, organizationName, userId, ownLanguages, languages, initial } = props;
  const t = useTranslations();
  const { endonymOf } = useLanguageNames();
  const [scope] = useState<TextScope>({ organizationId });
  const [kind] = useState(() => wordsKind(scope));
  const level = levelOfScope(scope);
  const [first] = useState(() => ({
    address: initial.address,
    saved: savedWordsOf(level, initial.explanation),
    overview: { languages: initial.explanation.customized },
  }));
  const texts = useTexts(kind, first, `${userId}/${organizationId ?? ""}/pages`);
  const { address, saved, values, drafts } = texts;
  const [pane, setPane] = useState<Pane>("text");
  const [dialog, setDialog] = useState<WordsDialog>();
  const [chosen, setChosen] = useState<{ word: string }>();
  const [marked, setMarked] = useState<string>();
  const words = useMemo(
    () => new Map(initial.explanation.words.map((word) => [word.field, word])),
    [initial.explanation],
  );
  // A word is labelled with its built-in text in the edited language, which its readers recognize.
  const labelOf = (field: string) => saved?.inherited[field]?.text ?? words.get(field)?.builtIn ?? field;
  const approval = useApproval({
    scope,
    userId,
    initial: initial.drafts,
    texts,
    isOf: ({ type, language }) => type === undefined && language === address.language,
    textKey: address.language,
  });
  const written = approval.shown?.fields ?? (saved && values);
  const wanted = written && pagePreview(scope, address, written);
  const preview = useRenderedPreview(pagePreview(scope, address, {}).of, wanted, () => ({
    ...pagePreview(scope, initial.address, first.saved.own),
    preview: initial.preview,
  }));
  const guard = useLeaveGuard(drafts.size > 0, texts.isHere);
  const mayWrite = props.mayWrite && (ownLanguages?.includes(address.language) ?? true);
  useSaveKey(mayWrite && !approval.shown, texts.save);

  return (
    <>
      <WaitingList scope={scope} drafts={approval.all} />
      <Panes
        shown={pane}
        onShow={setPane}
        first="pages"
        contents={{
          messages: (
            <>
              <AllTexts scope={scope} language={address.language} languages={languages} mayWrite={mayWrite} />
              <PageList
                scope={scope}
                pages={initial.explanation.pages}
                current={address}
                onOpen={(page) => {
                  texts.open({ ...address, page });
                  setMarked(undefined);
                  setPane("text");
                }}
              />
            </>
          ),
          text: (
            <WordPane
              texts={texts}
              approval={approval}
              level={level}
              words={words}
              languages={languages}
              preview={preview}
              labelOf={labelOf}
              mayWrite={mayWrite}
              chosen={chosen}
              onChoose={setMarked}
              onDialog={setDialog}
            />
          ),
          preview: (
            <PageView
              preview={preview}
              chosen={marked}
              onPick={(word) => {
                setPane("text");
                setMarked(word);
                setChosen({ word });
              }}
            />
          ),
        }}
      />
      <TextDialogs
        texts={texts}
        textKey={address.language}
        name={t("pages.words")}
        language={address.language}
        organizationName={organizationName}
        open={dialog}
        mayWrite={mayWrite}
        fields={Object.keys(saved?.own ?? {}).map((name) => ({ name, label: name }))}
        order={[...words.keys()]}
        labelOf={labelOf}
        builtInLabelOf={(field) => field}
        logHref={textsLogAddress(scope)}
        history={() => ask(wordOperationsOn(scope).history, { at: { language: address.language } })}
        onClose={() => setDialog(undefined)}
        guard={guard}
        unsaved={
          <ul className="plan">
            {[...drafts.keys()].map((language) => (
              <li key={language}>
                <bdi lang={language}>{endonymOf(language)}</bdi>
              </li>
            ))}
          </ul>
        }
      />
    </>
  );
}
