/** Leads back from an identity provider to the account page from which an account was to be connected. */
import type { LinkError } from "../../../components/login/account/linked-accounts";
import type { Context } from "../../context";
import type { Http } from "../../http/env";
import type { FinishOutcome } from "../../login/providers/finish";
import { redirectAnswer } from "../authorization";
import { refusedAnswer } from "../refusal";
import { accountUrl } from "./answers";

type Linking = Extract<FinishOutcome, { kind: "linking" }>;

const PATH = "/account/security";
const ERRORS: Partial<Record<Linking["result"], LinkError>> = {
  taken: "taken",
  refused: "refused",
  "provider-denied": "denied",
  "provider-refused": "refused",
};

export function linkedAnswer(ctx: Context, http: Http, { sessionId, result, chosenLocale }: Linking): Response {
  const url = accountUrl(ctx, sessionId, chosenLocale, result === "linked" ? `${PATH}?saved=1` : PATH);
  if (result === "linked" || result === "again") return redirectAnswer(http, url);
  return refusedAnswer(ctx, http, url, { linkError: ERRORS[result] ?? "failed" }, sessionId);
}
