// Sentences of the editor with values: names of languages and variables, issues.
import { useTranslations } from "next-intl";
import type { TextIssue } from "../../../server/texts/text-issue";
import type { Refusal } from "../../../shared/refusal";
import { useRefusalText } from "../calls/refusal-text";
import type { OfferedVariable } from "./braces";
import { MAIL_ORDER, type MessageType } from "./messages";
import type { Badge } from "./overview";

export interface TextLabels {
  message(type: MessageType): string;
  variable(type: MessageType, variable: OfferedVariable): string;
  issue(issue: Pick<TextIssue<string>, "id" | "message" | "limit" | "suggestion">): string;
  /** Returns a sentence for each problem of a refusal. */
  refusal(refusal: Refusal): string[];
  badge(badge: Badge): string;
  /** Returns a text such as "3 of 7 fields"; undefined if all or none of them come from that level. */
  part(badge: Badge): string | undefined;
}

export function useTextLabels(): TextLabels {
  const t = useTranslations();
  const refusalText = useRefusalText();
  const issue: TextLabels["issue"] = ({ id, message, limit = 0 }) => {
    const name = id.replace(/^(?:message|login)_text\./, "");
    const warning = `texts.by.issue.${name}`;
    const ofPages = id.startsWith("login_text.") ? `refusals.by.text.word_${name}` : "";
    if (t.has(ofPages)) return t(ofPages);
    const error = `refusals.by.text.${name}`;
    return t.has(error) ? t(error, { limit }) : t.has(warning) ? t(warning, { limit }) : message;
  };
  return {
    issue,
    refusal: ({ problems }) =>
      problems.map((problem) => {
        const field = MAIL_ORDER.find((name) => name === problem.field);
        if (!field) return refusalText(problem);
        return t("texts.problemAt", { field: t(`texts.by.field.${field}`), problem: issue(problem) });
      }),
    message: (type) => t(`types.${type}`),
    variable(type, { name, description }) {
      const special = `texts.by.variable.${type}_${name}`;
      const general = `texts.by.variable.${name}`;
      return t.has(special) ? t(special) : t.has(general) ? t(general) : description;
    },
    badge: ({ state }) => t(`texts.by.state.${state}`),
    part: ({ count, of }) => (count > 0 && count < of ? t("texts.part", { count, of }) : undefined),
  };
}
