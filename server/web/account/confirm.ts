/**
 * Changes to an account that are made with a button, and the confirmation before those that remove something. The
 * confirmation page has its own address, so that a sign-in in between returns to it.
 */
import type { AccountQuestion, FactorTitle } from "../../../components/login/account/confirm-page";
import { accountHref } from "../../../components/login/account-frame";
import type { Context } from "../../context";
import type { Http } from "../../http/env";
import { causeOfRequest } from "../../http/request";
import {
  type AccountChange,
  changeAccount,
  listOwnLinks,
  listOwnSessions,
  readProtection,
} from "../../login/account/account";
import { listAgents } from "../../login/account/agents";
import { listConnectedApps } from "../../login/account/apps";
import type { AccountOwner } from "../../login/account/owner";
import { deviceName } from "../../protocol/device-name";
import type { Parameters } from "../../protocol/parameters";
import { factorKinds, sentKinds } from "../../protocol/second-factor";
import { pageAnswer } from "../authorization";
import { recoveryCodesPage } from "../login/second-factor-pages";
import type { RefusedLink } from "./links";
import { backAfterSaving, backTo, freshForm, freshPage, type OpenedAccount, refusedForm } from "./open";
import { accountConfirmPage } from "./pages";

export const CONFIRM_PATH = "/account/confirm";

/** The page that shows the result of a change. */
const PAGES: Record<AccountChange["what"], string> = {
  "remove-factor": "/account/security",
  "enable-codes": "/account/security",
  "remove-passkey": "/account/security",
  "rename-passkey": "/account/security",
  "new-codes": "/account/security",
  "remove-link": "/account/security",
  "end-session": "/account/sessions",
  "end-others": "/account/sessions",
  "disconnect-app": "/account/apps",
  "stop-agent": "/account/apps",
};

const pageOf = (form: Parameters): string => {
  const what = form.get("what") ?? "";
  return what in PAGES ? PAGES[what as AccountChange["what"]] : "/account/security";
};

export const accountConfirmRoute = freshPage(async (ctx, http, opened) => {
  const { owner, form, fields, frame } = opened;
  const question = await questionOf(ctx, owner, form);
  // The object of the question no longer exists, or never did.
  if (!question) return backTo(ctx, http, opened, pageOf(form));
  const cancelHref = accountHref(pageOf(form), fields);
  const { organizationName } = owner.user;
  return pageAnswer(
    http,
    accountConfirmPage({ action: "/account/submit", fields, question, cancelHref, organizationName }, frame),
  );
});

async function questionOf(ctx: Context, owner: AccountOwner, form: Parameters): Promise<AccountQuestion | undefined> {
  const id = form.get("id") ?? "";
  const what = form.get("what");
  switch (what) {
    case "remove-factor":
    case "remove-passkey":
    case "new-codes":
      return factorQuestion(ctx, owner, what, id);
    case "remove-link": {
      const link = (await listOwnLinks(ctx, owner)).find((one) => `${one.providerId}/${one.externalId}` === id);
      return link && { what, id, provider: link.providerName };
    }
    case "end-session": {
      const session = (await listOwnSessions(ctx, owner)).find((one) => one.id === id && one.id !== owner.session.id);
      return session && { what, id, device: deviceName(session.userAgentName ?? "") };
    }
    case "end-others":
      return { what };
    case "disconnect-app": {
      const app = (await listConnectedApps(ctx, owner.user.id)).find(({ clientId }) => clientId === id);
      return app && { what, id, name: app.name };
    }
    case "stop-agent": {
      const agent = (await listAgents(ctx, owner.user.id)).find((one) => one.id === id);
      return agent && { what, id, name: agent.name, appName: agent.app.name };
    }
    default:
      return undefined;
  }
}

interface Removable {
  id: string;
  name: FactorTitle;
}

const removable = ({ id, name }: { id: string; name: string | null }): Removable => ({
  id,
  name: { given: name ?? "" },
});

async function factorQuestion(
  ctx: Context,
  owner: AccountOwner,
  what: "remove-factor" | "remove-passkey" | "new-codes",
  id: string,
): Promise<AccountQuestion | undefined> {
  const { apps, sent, passkeys } = await readProtection(ctx, owner);
  const factors: Removable[] = [
    ...apps.map(removable),
    ...sent.flatMap(({ kind, factor }) => (factor ? [{ id: factor.id, name: { kind } }] : [])),
  ];
  const count = factors.length + passkeys.length;
  if (what === "new-codes") return count > 0 ? { what } : undefined;
  const row = (what === "remove-factor" ? factors : passkeys.map(removable)).find((one) => one.id === id);
  return row && { what, id, name: row.name, isLast: count === 1 };
}

export const accountSubmitRoute = freshForm(pageOf, async (ctx, http, opened) => {
  const { owner, form } = opened;
  const change = changeOf(form);
  if (!change) return backAfterSaving(ctx, http, opened, pageOf(form)); // from the recovery codes
  const outcome = await changeAccount(ctx, owner, change, causeOfRequest(ctx, http));
  if (outcome !== "last-way") return showChanged(ctx, http, opened, pageOf(form), outcome);
  return refusedForm(ctx, http, opened, pageOf(form), { linkError: "last" } satisfies RefusedLink);
});

function changeOf(form: Parameters): AccountChange | undefined {
  const id = form.get("id") ?? "";
  const what = form.get("what");
  const enabled = sentKinds.find((kind) => what === `enable-${factorKinds[kind].word}`);
  if (enabled) return { what: "enable-codes", kind: enabled };
  switch (what) {
    case "new-codes":
    case "end-others":
      return { what };
    case "remove-factor":
    case "remove-passkey":
    case "remove-link":
    case "end-session":
    case "disconnect-app":
    case "stop-agent":
      return { what, id };
    case "rename-passkey":
      return { what, id, name: form.get(`name-${form.get("at")}`) ?? "" };
    default:
      return undefined;
  }
}

/** Shows new recovery codes, which cannot be shown again later; without any, redirects to the page. */
export function showChanged(
  ctx: Context,
  http: Http,
  opened: OpenedAccount,
  path: string,
  codes: readonly string[] | undefined,
): Response {
  if (!codes) return backAfterSaving(ctx, http, opened, path);
  const { owner, frame, fields } = opened;
  const { organizationName } = owner.user;
  return pageAnswer(http, recoveryCodesPage({ codes, action: "/account/submit", fields, organizationName }, frame));
}
