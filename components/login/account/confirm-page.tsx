// Asks for confirmation before something is removed from the account: names it, states the consequences, and links
// back.
import type { ReactNode } from "react";
import type { LoginTranslator } from "../../../messages/login";
import type { SentKind } from "../../../server/protocol/second-factor";
import { HiddenFields } from "../../ui/form";
import { bdi, plainName } from "../../ui/user-text";
import { type AccountFields, Cancel } from "../account-frame";
import { WAY_NAMES } from "../factor-texts";
import { agentName } from "./apps-page";
import { deviceText } from "./device-text";

/** The name that the user gave to a factor; codes that are sent are named by their kind. */
export type FactorTitle = { given: string } | { kind: SentKind };

/** The actions that a user is asked to confirm. */
export type AccountQuestion =
  | { what: "remove-factor" | "remove-passkey"; id: string; name: FactorTitle; isLast: boolean }
  | { what: "remove-link"; id: string; provider: string }
  | { what: "new-codes" }
  /** The device as the User-Agent header describes it, such as "Firefox · Linux". */
  | { what: "end-session"; id: string; device: string | undefined }
  | { what: "end-others" }
  | { what: "disconnect-app"; id: string; name: string }
  /** The name is undefined for an administrator. */
  | { what: "stop-agent"; id: string; name: string | undefined; appName: string };

export interface AccountConfirmProps {
  action: string;
  fields: AccountFields;
  question: AccountQuestion;
  cancelHref: string;
  organizationName?: string;
}

export function AccountConfirmPage({ t, ...props }: AccountConfirmProps & { t: LoginTranslator }) {
  const { question, fields } = props;
  const id = "id" in question ? question.id : undefined;
  const title = titleOf(t, question);
  return (
    <>
      <h1>{title}</h1>
      <p>{consequenceOf(t, question)}</p>
      <form method="post" action={props.action}>
        <HiddenFields values={{ ...fields, what: question.what, id }} />
        <button className="primary" type="submit" id="confirm">
          {title}
        </button>
      </form>
      <Cancel t={t} href={props.cancelHref} />
    </>
  );
}

function titleOf(t: LoginTranslator, question: AccountQuestion): ReactNode {
  return named<ReactNode>(t, question, (key, name) => t.rich(key, { ...bdi, name }));
}

/** Returns the question for the title of the document, which cannot contain <bdi>. */
export function questionTitle(t: LoginTranslator, question: AccountQuestion): string {
  return named(t, question, (key, name) => t.markup(key, { bdi: (chunks) => chunks, name }));
}

function named<T>(
  t: LoginTranslator,
  question: AccountQuestion,
  say: (key: "account.removeOf" | "account.endOf" | "account.disconnectOf" | "account.stopAgentOf", name: string) => T,
): T | string {
  switch (question.what) {
    case "remove-factor":
    case "remove-passkey":
      return say(
        "account.removeOf",
        "kind" in question.name ? t(WAY_NAMES[question.name.kind]) : plainName(question.name.given),
      );
    case "remove-link":
      return say("account.removeOf", plainName(question.provider));
    case "end-session":
      return say("account.endOf", plainName(deviceText(t, question.device)));
    case "disconnect-app":
      return say("account.disconnectOf", plainName(question.name));
    case "stop-agent":
      return say("account.stopAgentOf", agentName(t, question.name));
    case "new-codes":
      return t("account.newCodes");
    case "end-others":
      return t("account.endOthers");
  }
}

function consequenceOf(t: LoginTranslator, question: AccountQuestion): string {
  switch (question.what) {
    case "remove-factor":
    case "remove-passkey":
      return t(question.isLast ? "account.removeLast" : "account.removeText");
    case "remove-link":
      return t("account.removeText");
    case "end-session":
      return t("account.endText");
    case "disconnect-app":
      return t("account.disconnectText");
    case "stop-agent":
      return t(question.name === undefined ? "account.stopAdministratorText" : "account.stopAgentText", {
        app: plainName(question.appName),
      });
    case "new-codes":
      return t("account.newCodesText");
    case "end-others":
      return t("account.endOthersText");
  }
}
