"use client";
// The editor of message texts: messages, text, preview. The page reads the initial data; afterwards the editor calls
// the same operations itself, so that switching texts does not load a new page.
import { useTranslations } from "next-intl";
import { useState } from "react";
import type { MessageGroup } from "../../../../server/service/service";
import { addressOf } from "../../../../shared/declared";
import { useLeaveGuard } from "../../forms/use-leave-guard";
import { downloadText } from "../../parts/download";
import { levelOfScope, type TextAddress, type TextScope } from "../address";
import type { TextDraftSummary } from "../approval/operations";
import { useApproval } from "../approval/use-approval";
import { WaitingList } from "../approval/waiting-list";
import { ask } from "../ask";
import { Comparison } from "../comparison";
import { CopyDialog } from "../copy-dialog";
import { CurlDialog } from "../curl-dialog";
import { keyOf, messageKind } from "../message-kind";
import { MessageList } from "../message-list";
import { MAIL_ORDER, type MessageField, shownFields } from "../messages";
import { operationsOn } from "../operations";
import { messageOf, type TextsOverview } from "../overview";
import { type Pane, Panes } from "../panes";
import { PreviewPane } from "../preview-pane";
import { TextDialogs } from "../text-dialogs";
import { useTextLabels } from "../text-labels";
import { type ExplainAnswer, type MessagePreview, previewRequest, type SamplePerson, savedTextOf } from "../text-state";
import { TransferDialog } from "../transfer-dialog";
import { Trial } from "../trial";
import { UnsavedTexts } from "../unsaved-texts";
import { usePreview } from "../use-preview";
import { useSaveKey } from "../use-save-key";
import { useTexts } from "../use-texts";
import { type KnownVariables, useVariables } from "../use-variables";
import { AllTexts } from "./all-texts";
import { type TextDialog, TextPane } from "./text-pane";

export interface TextsEditorProps {
  /** The organization's id; undefined for the texts of the instance. */
  organizationId: string | undefined;
  /** The sender's name in mails: the organization, or the host. */
  sender: string;
  /** The user who owns the drafts. */
  userId: string;
  mayWrite: boolean;
  /** Whether the visitor may see sent messages. */
  readsMails: boolean;
  groups: readonly MessageGroup[];
  initial: {
    address: TextAddress;
    explanation: ExplainAnswer;
    overview: TextsOverview;
    preview: MessagePreview;
    variables: KnownVariables["variables"];
    drafts: readonly TextDraftSummary[];
  };
}

export function TextsEditor(props: TextsEditorProps) {
  const { organizationId, sender, userId, mayWrite, groups, initial } = props;
  const t = useTranslations();
  const words = useTextLabels();
  const [scope] = useState<TextScope>({ organizationId });
  const level = levelOfScope(scope);
  const [kind] = useState(() => messageKind(scope));
  const saidFirst = { ...initial, saved: savedTextOf(level, initial.explanation) };
  const texts = useTexts(kind, saidFirst, `${userId}/${organizationId ?? ""}`);
  const { address, overview, saved, values, drafts } = texts;
  const [sample, setSample] = useState<SamplePerson>("usual");
  const [pane, setPane] = useState<Pane>("text");
  const [dialog, setDialog] = useState<TextDialog | "import">();
  const close = () => setDialog(undefined);

  const approval = useApproval({
    scope,
    userId,
    initial: initial.drafts,
    texts,
    isOf: ({ type, language }) => type === address.type && language === address.language,
    textKey: keyOf(address),
  });
  const written = approval.shown?.fields ?? (saved && values);
  const preview = usePreview(scope, address, written, sample, () => firstShown(scope, initial));
  const variables = useVariables(scope, address.type, { type: initial.address.type, variables: initial.variables });
  const guard = useLeaveGuard(drafts.size > 0);
  const message = messageOf(overview, address.type);
  const mayChange = mayWrite && !message.takesPower;
  const labelOf = (field: string) => t(`texts.by.field.${field as MessageField}`);
  const fields = shownFields(message, values).map((field) => ({ ...field, label: labelOf(field.name) }));
  const draft = drafts.get(keyOf(address));

  useSaveKey(mayChange && !approval.shown, texts.save);

  const exportAll = async () => {
    const answer = await ask(operationsOn(scope).exportAll);
    if (answer?.ok) downloadText(t("texts.fileName"), `${JSON.stringify(answer.body, null, 2)}\n`, "application/json");
  };
  const readAnew = async () => {
    const answer = await ask(operationsOn(scope).list);
    if (answer?.ok) texts.reload(answer.body);
  };

  const messages = (
    <>
      <MessageList
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
      />
      <AllTexts scope={scope} language={address.language} languages={overview.languages} mayWrite={mayWrite} />
      <div className="all-texts">
        <button type="button" className="plain" id="export-texts" onClick={exportAll}>
          {t("texts.export")}
        </button>
        {mayWrite && (
          <button type="button" className="plain" id="import-texts" onClick={() => setDialog("import")}>
            {t("texts.import")}
          </button>
        )}
      </div>
    </>
  );
  const trial =
    mayWrite && written ? (
      <Trial
        key={keyOf(address)}
        scope={scope}
        address={address}
        wanted={previewRequest(written, sample)}
        hasRounds={!message.isShortMessage}
      />
    ) : null;

  return (
    <>
      <WaitingList scope={scope} drafts={approval.all} />
      <Panes
        shown={pane}
        onShow={setPane}
        contents={{
          messages,
          text: (
            <TextPane
              texts={texts}
              approval={approval}
              level={level}
              message={message}
              fields={fields}
              labelOf={labelOf}
              preview={preview}
              variables={variables}
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
              comparison={<Comparison fields={fields} values={values} saved={saved} language={address.language} />}
              trial={trial}
            />
          ),
        }}
      />
      <CopyDialog
        key={`copy/${keyOf(address)}`}
        isOpen={dialog === "copy"}
        scope={scope}
        address={address}
        languages={overview.languages}
        message={message}
        fields={fields}
        onCopy={(copied) => {
          close();
          texts.replace({ ...values, ...copied });
        }}
        onClose={close}
      />
      <CurlDialog
        isOpen={dialog === "curl"}
        scope={scope}
        address={address}
        values={values}
        sequence={draft?.sequence ?? saved?.sequence ?? "0"}
        onClose={close}
      />
      <TransferDialog
        key={dialog === "import" ? "open" : "closed"}
        isOpen={dialog === "import"}
        scope={scope}
        types={groups.flatMap(({ types }) => types)}
        onDone={readAnew}
        onClose={close}
      />
      <TextDialogs
        texts={texts}
        textKey={keyOf(address)}
        name={words.message(address.type)}
        language={address.language}
        organizationName={organizationId === undefined ? undefined : sender}
        open={dialog}
        mayWrite={mayChange}
        fields={fields}
        order={MAIL_ORDER}
        labelOf={labelOf}
        readHistory={() => ask(operationsOn(scope).history, { at: address })}
        onClose={close}
        guard={guard}
        unsaved={<UnsavedTexts keys={[...drafts.keys()]} />}
      />
    </>
  );
}

/** Returns the initial state from the data that the page has read. */
function firstShown(scope: TextScope, { address, explanation, preview }: TextsEditorProps["initial"]) {
  const { own } = savedTextOf(levelOfScope(scope), explanation);
  const body = JSON.stringify(previewRequest(own, "usual"));
  return { path: addressOf(operationsOn(scope).preview, address), body, values: own, preview };
}
