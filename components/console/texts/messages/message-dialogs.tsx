"use client";
// The dialogs of the editor of messages.
import { dialogOnDemand } from "../../parts/on-demand";
import { type TextAddress, type TextScope, textsLogAddress } from "../address";
import { ask } from "../ask";
import { keyOf } from "../message-kind";
import { MAIL_ORDER, type MessageField, type MessageType } from "../messages";
import { operationsOn } from "../operations";
import type { MessageOverview, TextsOverview } from "../overview";
import { TextDialogs, type TextDialogsProps } from "../text-dialogs";
import { useTextLabels } from "../text-labels";
import { UnsavedTexts } from "../unsaved-texts";

const CopyDialog = dialogOnDemand(() => import("../copy-dialog").then((part) => part.CopyDialog));
const CurlDialog = dialogOnDemand(() => import("../curl-dialog").then((part) => part.CurlDialog));
const TransferDialog = dialogOnDemand(() => import("../transfer-dialog").then((part) => part.TransferDialog));

type Shared = Pick<
  TextDialogsProps<TextAddress, TextsOverview>,
  "texts" | "open" | "mayWrite" | "organizationName" | "guard" | "labelOf" | "onClose"
>;

export interface MessageDialogsProps extends Shared {
  scope: TextScope;
  /** All message types. */
  types: readonly MessageType[];
  message: MessageOverview;
  fields: readonly { name: MessageField; label: string }[];
}

export function MessageDialogs({ scope, types, message, ...shared }: MessageDialogsProps) {
  const { texts, open, fields, onClose } = shared;
  const labels = useTextLabels();
  const { address, overview, values, drafts, saved } = texts;
  const key = keyOf(address);
  return (
    <>
      <CopyDialog
        key={`copy/${key}`}
        isOpen={open === "copy"}
        scope={scope}
        address={address}
        languages={overview.languages}
        message={message}
        fields={fields}
        onCopy={(copied) => {
          onClose();
          texts.replace({ ...values, ...copied });
        }}
        onClose={onClose}
      />
      <CurlDialog
        isOpen={open === "curl"}
        scope={scope}
        address={address}
        values={values}
        sequence={drafts.get(key)?.sequence ?? saved?.sequence ?? "0"}
        onClose={onClose}
      />
      <TransferDialog
        key={open === "import" ? "open" : "closed"}
        isOpen={open === "import"}
        scope={scope}
        types={types}
        onDone={async () => {
          const answer = await ask(operationsOn(scope).list);
          if (answer.ok) await texts.reload(answer.body);
        }}
        onClose={onClose}
      />
      <TextDialogs
        {...shared}
        textKey={key}
        name={labels.message(address.type)}
        language={address.language}
        order={MAIL_ORDER}
        logHref={textsLogAddress(scope)}
        history={() => ask(operationsOn(scope).history, { at: address })}
        unsaved={<UnsavedTexts keys={[...drafts.keys()]} />}
      />
    </>
  );
}
