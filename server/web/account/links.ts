/** The accounts at identity providers by which the owner of an account signs in: shown, and connected by a button. */
import type { LinkError } from "../../../components/login/account/linked-accounts";
import type { Context } from "../../context";
import { attemptOf } from "../../http/request";
import { listOwnLinks } from "../../login/account/account";
import type { AccountOwner } from "../../login/account/owner";
import { listLinkableProviders, startLinking } from "../../login/providers/link";
import { redirectAnswer } from "../authorization";
import { directoryUrl } from "../login/answers";
import { leadAway, providerBrowser } from "../login/provider-browser";
import { freshForm, refusedForm } from "./open";

const SECURITY_PATH = "/account/security";
export const LINK_PATH = "/account/link/submit";

/** What the page says about the last account that was to be connected or removed. */
export interface RefusedLink {
  linkError?: LinkError;
}

/** Returns what the page shows. */
export async function shownLinks(ctx: Context, owner: AccountOwner) {
  const [links, providers] = await Promise.all([listOwnLinks(ctx, owner), listLinkableProviders(ctx, owner)]);
  const linkable = providers.filter(({ id }) => links.every(({ providerId }) => providerId !== id));
  return {
    links: links.map(({ providerId, externalId, providerName: provider, userName, createdAt, tokenApps }) => {
      return { id: `${providerId}/${externalId}`, provider, userName, createdAt, tokenApps };
    }),
    linkable: linkable.map(({ id, name }) => ({ id, name })),
    linkAction: LINK_PATH,
  };
}

export const linkSubmitRoute = freshForm(SECURITY_PATH, async (ctx, http, opened) => {
  const { owner, form, chosen } = opened;
  const by = { browser: providerBrowser(ctx, http), chosenLocale: chosen };
  const outcome = await startLinking(ctx, owner, form.get("idp") ?? "", by, attemptOf(ctx, http));
  if (outcome.kind === "password") return redirectAnswer(http, directoryUrl(ctx, outcome, chosen));
  if (outcome.kind !== "redirect") {
    const linkError = outcome.kind === "gone" ? "refused" : "failed";
    return refusedForm(ctx, http, opened, SECURITY_PATH, { linkError } satisfies RefusedLink);
  }
  return leadAway(ctx, http, outcome, by.browser, { chosen });
});
