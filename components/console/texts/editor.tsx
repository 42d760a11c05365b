"use client";
// The editor of message texts: messages, text, preview. The page reads what it shows first; afterwards it calls the
// same operations itself, so that switching texts needs no new page.
import { useTranslations } from "next-intl";
import { useCallback, useEffect, useState } from "react";
import type { MessageGroup } from "../../../server/service/service";
import { addressOf } from "../declared";
import { downloadText } from "../download";
import { useLeaveGuard } from "../use-leave-guard";
import { levelOf, type TextScope } from "./address";
import { ask } from "./ask";
import { Comparison } from "./comparison";
import { ConflictDialog } from "./conflict-dialog";
import { CopyDialog } from "./copy-dialog";
import { CurlDialog } from "./curl-dialog";
import { LeaveDialog } from "./leave-dialog";
import { MessageList } from "./message-list";
import { shownFields } from "./messages";
import { operationsOn } from "./operations";
import { messageOf } from "./overview";
import { type Pane, Panes } from "./panes";
import { PreviewPane } from "./preview-pane";
import { ResetDialog } from "./reset-dialog";
import { type TextDialog, TextPane } from "./text-pane";
import { type Preview, previewRequest, type SamplePerson, savedTextOf } from "./text-state";
import { TransferDialog } from "./transfer-dialog";
import { Trial } from "./trial";
import { usePreview } from "./use-preview";
import { type InitialText, keyOf, useTexts } from "./use-texts";
import { type KnownVariables, useVariables } from "./use-variables";
import { useWords } from "./words";

export interface TextsEditorProps {
  /** The organization's id; undefined: the texts of the instance. */
  organizationId: string | undefined;
  /** The sender's name in letters: the organization, or the host. */
  sender: string;
  /** Whose drafts these are. */
  userId: string;
  mayWrite: boolean;
  groups: readonly MessageGroup[];
  initial: InitialText & { preview: Preview; variables: KnownVariables["variables"] };
}

export function TextsEditor({ organizationId, sender, userId, mayWrite, groups, initial }: TextsEditorProps) {
  const t = useTranslations();
  const words = useWords();
  const [place] = useState<TextScope>({ organizationId });
  const level = levelOf(place);
  const texts = useTexts(place, initial, `${userId}/${organizationId ?? ""}`);
  const { address, overview, saved, values, drafts } = texts;
  const [sample, setSample] = useState<SamplePerson>("usual");
  const [pane, setPane] = useState<Pane>("text");
  const [dialog, setDialog] = useState<TextDialog | "import">();
  const close = () => setDialog(undefined);

  const preview = usePreview(place, address, saved && values, sample, () => firstShown(place, initial));
  const variables = useVariables(place, address.type, { type: initial.address.type, variables: initial.variables });
  const guard = useLeaveGuard(drafts.size > 0);
  const message = messageOf(overview, address.type);
  const mayChange = mayWrite && !message.takesPower;
  const fields = shownFields(message, values);
  const draft = drafts.get(keyOf(address));

  const { save } = texts;
  const onKey = useCallback(
    (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.key.toLowerCase() !== "s") return;
      event.preventDefault();
      if (mayChange) void save();
    },
    [mayChange, save],
  );
  useEffect(() => {
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, [onKey]);

  const exportAll = async () => {
    const answer = await ask(operationsOn(place).exportAll);
    if (answer?.ok) downloadText(t("texts.fileName"), `${JSON.stringify(answer.body, null, 2)}\n`, "application/json");
  };
  const readAnew = async () => {
    const answer = await ask(operationsOn(place).list);
    if (answer?.ok) texts.reload(answer.body);
  };

  const messages = (
    <>
      <MessageList
        place={place}
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
    mayWrite && preview.shown ? (
      <Trial key={keyOf(address)} place={place} address={address} body={preview.shown.body} />
    ) : null;

  return (
    <>
      <Panes
        shown={pane}
        onShow={setPane}
        contents={{
          messages,
          text: (
            <TextPane
              texts={texts}
              level={level}
              message={message}
              fields={fields}
              preview={preview}
              variables={variables}
              mayWrite={mayChange}
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
      {saved && (
        <ResetDialog
          isOpen={dialog === "reset"}
          message={words.message(address.type)}
          language={address.language}
          organization={organizationId === undefined ? undefined : sender}
          fields={fields}
          saved={saved}
          onReset={() => {
            close();
            void texts.reset();
          }}
          onClose={close}
        />
      )}
      <CopyDialog
        key={`copy/${keyOf(address)}`}
        isOpen={dialog === "copy"}
        place={place}
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
        place={place}
        address={address}
        values={values}
        sequence={draft?.sequence ?? saved?.sequence ?? "0"}
        onClose={close}
      />
      <TransferDialog
        key={dialog === "import" ? "open" : "closed"}
        isOpen={dialog === "import"}
        place={place}
        types={groups.flatMap(({ types }) => types)}
        onDone={readAnew}
        onClose={close}
      />
      {texts.conflict && draft && (
        <ConflictDialog
          key={texts.conflict.sequence}
          draft={draft}
          theirs={texts.conflict}
          language={address.language}
          onSave={(merged) => void texts.save(merged)}
          onTakeTheirs={() => {
            texts.discard();
            texts.leaveConflict();
          }}
          onClose={texts.leaveConflict}
        />
      )}
      <LeaveDialog guard={guard} unsaved={[...drafts.keys()]} />
    </>
  );
}

/** The state from what the page has read. */
function firstShown(place: TextScope, { address, explanation, preview }: TextsEditorProps["initial"]) {
  const { own } = savedTextOf(levelOf(place), explanation);
  const body = JSON.stringify(previewRequest(own, "usual"));
  return { path: addressOf(operationsOn(place).preview, address), body, values: own, preview };
}
