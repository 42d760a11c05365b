/**
 * Message texts: each type set, read, explained, previewed, sent as a test and reset, at both levels; the page texts.
 */
import { messageTextOperations } from "../../api/texts/message-texts";
import { MESSAGE_TYPES, type MessageType } from "../../message-types/table";
import { carriesCode } from "../../texts/variables";
import type { Memory, Step } from "./step";

const parameters = { language: "sv" };
const LEVELS = [
  { service: "AdminService", base: "/admin/v1" },
  { service: "ManagementService", base: "/management/v1" },
] as const;
const APPROVED = { requireTextApproval: true };
/** The type whose test message is sent; those of the others are rejected by the rate limit. */
const TRIED: MessageType = "password_change";

export const textSteps: Step[] = LEVELS.flatMap(({ service, base }): Step[] => {
  const about = (type: MessageType): Step[] => {
    const idOf = (method: string, path: string) =>
      messageTextOperations.find((one) => one.method === method && one.path === `${base}/text/${path}/:language`)?.id;
    const text = carriesCode(type) ? "Use {{.Code}}" : "A text";
    return [
      { operation: `${idOf("GET", `default/message/${type}`)}`, parameters },
      { operation: `${idOf("PUT", `message/${type}`)}`, parameters, body: { text } },
      { operation: `${idOf("GET", `message/${type}`)}`, parameters },
      { operation: `${service}_ListMessageTextVariables_${type}` },
      { operation: `${service}_ExplainMessageText_${type}`, parameters },
      { operation: `${service}_PreviewMessageText_${type}`, parameters, body: { fields: { text } } },
      { operation: `${service}_ListMessageTextChanges_${type}`, parameters },
      { operation: `${service}_KeepMessageText_${type}`, parameters },
      {
        operation: `${service}_SendMessageTextTrial_${type}`,
        parameters,
        body: { fields: { text: "{{" } },
        refused: "message_text.unclosed_braces",
      },
      { operation: `${idOf("DELETE", `message/${type}`)}`, parameters },
    ];
  };
  const drafts = draftSteps(service);
  return [
    ...MESSAGE_TYPES.flatMap(about),
    {
      operation: `${service}_SendMessageTextTrial_${TRIED}`,
      parameters,
      body: {},
      keep: ({ id }, memory) => Object.assign(memory, { trialId: id }),
    },
    { operation: `${service}_GetMessageTextTrial`, parameters: ({ trialId = "" }) => ({ id: trialId }) },
    {
      operation: `${service}_SendMessageTextTrials`,
      body: { type: TRIED, unsaved: { language: "sv", fields: { subject: "Hej" } } },
    },
    { operation: `${service}_SearchTexts`, body: { query: "kod", language: "sv" } },
    { operation: `${service}_ExportTranslations`, parameters, query: { format: "json" } },
    {
      operation: `${service}_ImportTranslations`,
      parameters,
      body: { format: "json", content: JSON.stringify({ language: "sv", pages: { signIn: { title: "Hejsan" } } }) },
    },
    { operation: `${service}_ListMessageTexts` },
    { operation: `${service}_ExportMessageTexts` },
    { operation: `${service}_ListLanguages` },
    { operation: "GetHostedLoginTranslation", query: { locale: "sv" } },
    { operation: "SetHostedLoginTranslation", body: { locale: "sv", translations: { signIn: { title: "Hejsan" } } } },
    { operation: `${service}_GetDefaultLoginTexts`, parameters },
    { operation: `${service}_SetCustomLoginText`, parameters, body: { signIn: { title: "Hej" } } },
    { operation: `${service}_GetCustomLoginTexts`, parameters },
    { operation: `${service}_ExplainLoginText`, parameters },
    {
      operation: `${service}_PreviewLoginText`,
      parameters,
      body: { page: "sign-in", words: { signIn: { title: "Hej" } } },
    },
    { operation: `${service}_ListLoginTextChanges`, parameters },
    { operation: `${service}_KeepLoginText`, parameters },
    { operation: `${service}_ResetCustomLoginTextToDefault`, parameters },
    ...drafts,
  ];
});

/** A change that waits for approval. The service has one owner, so no one can approve it. */
function draftSteps(service: (typeof LEVELS)[number]["service"]): Step[] {
  const isOfService = service === "AdminService";
  const as = isOfService ? ("owner" as const) : ("colleague" as const);
  const kept = ({ draftId = "" }: Memory) => ({ id: draftId });
  const draft: Step = {
    operation: `${service}_SetCustomLoginText`,
    as,
    parameters,
    body: { home: { title: "Hejsan" } },
    keep: (answer, memory) => Object.assign(memory, { draftId: answer.draft.id }),
  };
  const refused = isOfService ? { refused: "text_draft.own" } : {};
  return [
    { operation: isOfService ? "SetInstanceTextsPolicy" : "AddCustomTextsPolicy", as, body: APPROVED },
    draft,
    { operation: `${service}_ListTextDrafts` },
    { operation: `${service}_GetTextDraft`, parameters: kept },
    { operation: `${service}_RejectTextDraft`, parameters: kept, body: { comment: "Another word" }, ...refused },
    { operation: `${service}_WithdrawTextDraft`, as, parameters: kept },
    { ...draft, body: { home: { title: "Hej" } } },
    { operation: `${service}_ApproveTextDraft`, parameters: kept, ...refused },
    isOfService
      ? { operation: "SetInstanceTextsPolicy", body: { requireTextApproval: false } }
      : { operation: "ResetTextsPolicyToDefault", as },
  ];
}
