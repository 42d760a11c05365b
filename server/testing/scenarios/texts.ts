/** Message texts: each type set, read, explained, shown, tried and reset, at both levels; the words of the pages. */
import { messageTextOperations } from "../../api/message-texts";
import { MESSAGE_TYPES, type MessageType } from "../../message-types/table";
import { carriesCode } from "../../texts/variables";
import type { Step } from "./step";

const parameters = { language: "sv" };
const LEVELS = [
  { service: "AdminService", base: "/admin/v1" },
  { service: "ManagementService", base: "/management/v1" },
] as const;
/** One is sent; trials of the others are refused, as nobody may send so many. */
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
      {
        operation: `${service}_SendMessageTextTrial_${type}`,
        parameters,
        body: { fields: { text: "{{" } },
        refused: "message_text.unclosed_braces",
      },
      { operation: `${idOf("DELETE", `message/${type}`)}`, parameters },
    ];
  };
  return [
    ...MESSAGE_TYPES.flatMap(about),
    {
      operation: `${service}_SendMessageTextTrial_${TRIED}`,
      parameters,
      body: {},
      keep: ({ id }, memory) => Object.assign(memory, { trialId: id }),
    },
    { operation: `${service}_GetMessageTextTrial`, parameters: ({ trialId = "" }) => ({ id: trialId }) },
    { operation: `${service}_ListMessageTexts` },
    { operation: `${service}_ExportMessageTexts` },
    { operation: `${service}_ListLanguages` },
    { operation: "GetHostedLoginTranslation", query: { locale: "sv" } },
    { operation: "SetHostedLoginTranslation", body: { locale: "sv", translations: { signIn: { title: "Hejsan" } } } },
    { operation: `${service}_GetDefaultLoginTexts`, parameters },
    { operation: `${service}_SetCustomLoginText`, parameters, body: { signIn: { title: "Hej" } } },
    { operation: `${service}_GetCustomLoginTexts`, parameters },
    { operation: `${service}_ResetCustomLoginTextToDefault`, parameters },
  ];
});
