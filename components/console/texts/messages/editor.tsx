"use client";
// The editor of message texts: messages, text, preview. The page reads the initial data; afterwards the editor calls
// the same operations itself, so that switching texts does not load a new page.
import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useState } from "react";
import type { MessageGroup } from "../../../../server/service/service";
import { operationQuery, QueriesProvider } from "../../calls/queries";
import { useLeaveGuard } from "../../forms/use-leave-guard";
import { onDemand } from "../../parts/on-demand";
import { levelOfScope, type TextAddress, type TextScope } from "../address";
import type { TextDraftSummary } from "../approval/operations";
import { useApproval } from "../approval/use-approval";
import { WaitingList } from "../approval/waiting-list";
import type { OfferedVariable } from "../braces";
import { keyOf, messageKind } from "../message-kind";
import { type MessageField, shownFields } from "../messages";
import { operationsOn } from "../operations";
import { messageOf, type TextsOverview } from "../overview";
import { type Pane, Panes } from "../panes";
import { type ExplainAnswer, type MessagePreview, previewRequest, type SamplePerson, savedTextOf } from "../text-state";
import { Trial } from "../trial";
import { useRenderedPreview } from "../use-rendered-preview";
import { useSaveKey } from "../use-save-key";
import { useTexts } from "../use-texts";
import { MessageDialogs } from "./message-dialogs";
import { MessagePane } from "./message-pane";
import { messagePreview } from "./message-preview";
import { PreviewPane } from "./preview-pane";
import { type TextDialog, TextPane } from "./text-pane";

const Comparison = onDemand(() => import("../comparison").then((part) => part.Comparison));

export interface TextsEditorProps {
  /** The organization's id; undefined for the texts of the instance. */
  organizationId: string | undefined;
  /** The sender's name in mails: the organization, or the host. */
  sender: string;
  /** The user who owns the drafts. */
  userId: string;
  mayWrite: boolean;
  /** The languages in which the visitor may write; undefined for all. */
  ownLanguages: readonly string[] | undefined;
  /** Whether the visitor may see sent messages. */
  readsMails: boolean;
  groups: readonly MessageGroup[];
  initial: {
    address: TextAddress;
    explanation: ExplainAnswer;
    overview: TextsOverview;
    preview: MessagePreview;
    variables: readonly OfferedVariable[];
    drafts: readonly TextDraftSummary[];
  };
}

export const TextsEditor = (props: TextsEditorProps) => (
  <QueriesProvider>
    <Editor {...props} />
  </QueriesProvider>
);

function Editor(props: TextsEditorProps) {
  const { organizationId, sender, userId, ownLanguages, groups, initial } = props;
  const t = useTranslations();
  const [scope] = useState<TextScope>({ organizationId });
  const level = levelOfScope(scope);
  const [kind] = useState(() => messageKind(scope));
  const [saved] = useState(() => savedTextOf(level, initial.explanation));
  const texts = useTexts(kind, { ...initial, saved }, `${userId}/${organizationId ?? ""}`);
  const { address, overview, values, drafts } = texts;
  const [sample, setSample] = useState<SamplePerson>("usual");
  const [pane, setPane] = useState<Pane>("text");
  const [dialog, setDialog] = useState<TextDialog | "import">();

  const approval = useApproval({
    scope,
    userId,
    initial: initial.drafts,
    texts,
    isOf: ({ type, language }) => type === address.type && language === address.language,
    textKey: keyOf(address),
  });
  const written = approval.shown?.fields ?? (texts.saved && values);
  const wanted = written && messagePreview(scope, address, written, sample);
  const preview = useRenderedPreview(messagePreview(scope, address, {}, sample).of, wanted, () => ({
    ...messagePreview(scope, initial.address, saved.own, "usual"),
    preview: initial.preview,
  }));
  const { data: known } = useQuery({
    ...operationQuery(operationsOn(scope).variables, { at: { type: address.type } }),
    staleTime: Number.POSITIVE_INFINITY,
    initialData: address.type === initial.address.type ? { variables: [...initial.variables] } : undefined,
  });
  const guard = useLeaveGuard(drafts.size > 0, texts.isHere);
  const message = messageOf(overview, address.type);
  const mayWrite = props.mayWrite && (ownLanguages?.includes(address.language) ?? true);
  const mayChange = mayWrite && !message.takesPower;
  const labelOf = (field: string) => t(`texts.by.field.${field as MessageField}`);
  const fields = shownFields(message, values).map((field) => ({ ...field, label: labelOf(field.name) }));
  useSaveKey(mayChange && !approval.shown, texts.save);

  return (
    <>
      <WaitingList scope={scope} drafts={approval.all} />
      <Panes
        shown={pane}
        onShow={setPane}
        contents={{
          messages: (
            <MessagePane
              scope={scope}
              level={level}
              groups={groups}
              overview={overview}
              current={address}
              isUnsaved={(type) => [...drafts.keys()].some((key) => key.startsWith(`${type}/`))}
              onOpen={(type) => {
                texts.open({ ...address, type });
                setPane("text");
              }}
              mayWrite={mayWrite}
              onImport={() => setDialog("import")}
            />
          ),
          text: (
            <TextPane
              texts={texts}
              approval={approval}
              level={level}
              message={message}
              fields={fields}
              labelOf={labelOf}
              preview={preview}
              variables={known?.variables ?? []}
              mayWrite={mayChange}
              readsMails={props.readsMails}
              lacksPrivilege={mayWrite && !mayChange}
              onDialog={setDialog}
            />
          ),
          preview: (
            <PreviewPane
              preview={preview}
              sample={sample}
              onSample={setSample}
              language={address.language}
              sender={sender}
              isShortMessage={message.isShortMessage}
              comparison={
                <Comparison.Part fields={fields} values={values} saved={texts.saved} language={address.language} />
              }
              trial={
                mayWrite && written ? (
                  <Trial
                    key={keyOf(address)}
                    scope={scope}
                    address={address}
                    wanted={previewRequest(written, sample)}
                    hasRounds={!message.isShortMessage}
                  />
                ) : null
              }
            />
          ),
        }}
      />
      <MessageDialogs
        texts={texts}
        scope={scope}
        types={groups.flatMap(({ types }) => types)}
        message={message}
        fields={fields}
        labelOf={labelOf}
        open={dialog}
        mayWrite={mayChange}
        organizationName={organizationId === undefined ? undefined : sender}
        guard={guard}
        onClose={() => setDialog(undefined)}
      />
    </>
  );
}
