/**
 * The pages of a user's own email address. The code can be entered on the address's page in any window; the mailed link
 * leads to a page that asks for confirmation, in a session of the account or after signing in to it.
 */
import { accountHref } from "../../../components/login/account-frame";
import type { Context } from "../../context";
import { MAX_EMAIL_LENGTH } from "../../directory/fields";
import { findSender } from "../../directory/provider/sender";
import { currentPasswordNow } from "../../directory/user/current-password";
import { findUser } from "../../directory/user/user";
import type { Http } from "../../http/env";
import { attemptOf, causeOfRequest, userAgentOf } from "../../http/request";
import {
  type ChangeAddressProblems,
  type ConfirmAddressOutcome,
  changeAddress,
  confirmAddressByCode,
  confirmAddressByLink,
  dropPendingAddress,
  findPendingAddress,
  readAddressLink,
  sendCodeToOwner,
} from "../../login/account/email";
import { accountOwner } from "../../login/account/owner";
import type { ResendNote } from "../../oidc/flow";
import { listBrowserSessions } from "../../sessions/session";
import { pageAnswer } from "../authorization";
import { resendNote } from "../login/resend-note";
import { errorFrame } from "../pages/frame";
import { errorPage } from "../pages/public-pages";
import { carriedRefusal, shownAgain } from "../refusal";
import {
  backAfterSaving,
  backTo,
  freshForm,
  freshPage,
  type OpenedAccount,
  ownerPage,
  readForm,
  refusedForm,
  signInFirst,
  surroundings,
} from "./open";
import { accountEmailPage, addressLinkPage, changeEmailPage } from "./pages";

const PATH = "/account/email";
const CHANGE_PATH = "/account/email/change";
const LINK_PATH = "/account/email/confirm";
const NOTES: readonly ResendNote[] = ["again", "too-soon", "too-many"];

interface RefusedCode {
  error: "missing" | "wrong" | "blocked";
}

interface RefusedAddress {
  /** The address as typed. */
  email: string;
  problems: ChangeAddressProblems;
}

export const emailPageRoute = ownerPage(showEmail);

async function showEmail(ctx: Context, http: Http, { owner, form, frame, fields }: OpenedAccount): Promise<Response> {
  const { user } = owner;
  const error = carriedRefusal<RefusedCode>(ctx, http, form, owner.session.id)?.error;
  const [pending, sender] = await Promise.all([findPendingAddress(ctx, user), findSender(ctx, user.organizationId)]);
  const note = NOTES.find((one) => one === form.get("note"));
  const page = accountEmailPage(
    {
      action: "/account/email/submit",
      fields,
      saved: form.has("saved"),
      email: user.email ?? undefined,
      isEmailVerified: Boolean(user.isEmailVerified),
      pending: pending?.email,
      sender,
      note: resendNote(ctx, { note, sentAt: pending?.sentAt ?? 0 }),
      error,
      changeHref: accountHref(CHANGE_PATH, fields),
      organizationName: user.organizationName,
    },
    frame,
  );
  return pageAnswer(http, page);
}

export const emailSubmitRoute = freshForm(PATH, async (ctx, http, opened) => {
  const { owner, form } = opened;
  const cause = causeOfRequest(ctx, http);
  switch (form.get("what")) {
    case "send": {
      const note = await sendCodeToOwner(ctx, owner, attemptOf(ctx, http));
      return backTo(ctx, http, opened, note === undefined ? PATH : `${PATH}?note=${note}`);
    }
    case "confirm": {
      const outcome = await confirmAddressByCode(ctx, owner, form.get("code") ?? "", cause);
      return outcome.kind === "refused"
        ? refusedForm(ctx, http, opened, PATH, { error: outcome.reason } satisfies RefusedCode)
        : confirmedAnswer(ctx, http, opened, outcome);
    }
    case "drop":
      await dropPendingAddress(ctx, owner);
      return backTo(ctx, http, opened, PATH);
    default:
      return backTo(ctx, http, opened, PATH);
  }
});

/** Redirects to the address's page, which shows the current state even if the code was no longer valid. */
function confirmedAnswer(ctx: Context, http: Http, opened: OpenedAccount, outcome: ConfirmAddressOutcome): Response {
  return outcome.kind === "confirmed" ? backAfterSaving(ctx, http, opened, PATH) : backTo(ctx, http, opened, PATH);
}

export const changeEmailPageRoute = freshPage(showChange);

function showChange(ctx: Context, http: Http, { owner, frame, fields, form }: OpenedAccount): Response {
  const { user } = owner;
  const { email, problems } = carriedRefusal<RefusedAddress>(ctx, http, form, owner.session.id) ?? {};
  const { currentPassword, retryAfterMinutes } = currentPasswordNow(ctx, problems ?? {});
  const page = changeEmailPage(
    {
      action: "/account/email/change/submit",
      fields,
      loginName: user.loginName,
      email,
      hasPassword: user.passwordHash !== null,
      errors: { email: problems?.email, currentPassword },
      retryAfterMinutes,
      maximumLength: MAX_EMAIL_LENGTH,
      cancelHref: accountHref(PATH, fields),
      organizationName: user.organizationName,
    },
    frame,
  );
  return pageAnswer(http, page);
}

export const changeEmailSubmitRoute = freshForm(CHANGE_PATH, async (ctx, http, opened) => {
  const { owner, form } = opened;
  const typed = { email: form.get("email") ?? "", currentPassword: form.get("currentPassword") ?? "" };
  const attempt = attemptOf(ctx, http);
  const outcome = await changeAddress(ctx, owner, typed, attempt);
  switch (outcome.kind) {
    case "refused":
      return refusedForm(ctx, http, opened, CHANGE_PATH, {
        ...shownAgain({ email: typed.email }),
        problems: outcome.problems,
      } satisfies RefusedAddress);
    case "too-many":
      return backTo(ctx, http, opened, `${PATH}?note=too-many`);
    case "sent":
      return backTo(ctx, http, opened, PATH);
  }
});

/**
 * Handles the mailed link, which names no session: uses the session of its account in this browser, or requests a
 * sign-in first.
 */
export async function addressLinkRoute(ctx: Context, http: Http): Promise<Response> {
  const received = await readForm(ctx, http);
  if (received instanceof Response) return received;
  const { form, chosen } = received;
  const token = form.get("token") ?? "";
  const link = await readAddressLink(ctx, token);
  if ("usedAt" in link) return linkDead(ctx, http, chosen, link.usedAt);
  const userAgent = userAgentOf(ctx, http);
  const sessions = await listBrowserSessions(ctx, userAgent);
  const session = sessions.find(({ userId }) => userId === link.userId);
  const owner = await accountOwner(ctx, session?.id, userAgent);
  const at = `${LINK_PATH}?${new URLSearchParams({ token })}`;
  if (!owner?.isFresh) {
    // A user who has signed in to another account instead is not asked again.
    if (!owner && sessions.some(({ id }) => id === form.get("session"))) return linkDead(ctx, http, chosen, undefined);
    const loginName = (await findUser(ctx, link.userId))?.loginName;
    return signInFirst(ctx, http, { form, at, loginName }, owner);
  }
  const { frame, fields } = await surroundings(ctx, http, owner, chosen);
  const { loginName, organizationName } = owner.user;
  const about = { email: link.email, loginName, organizationName, cancelHref: accountHref(PATH, fields) };
  const action = "/account/email/confirm/submit";
  return pageAnswer(http, addressLinkPage({ action, fields: { ...fields, token }, ...about }, frame));
}

export const addressLinkSubmitRoute = freshForm(PATH, async (ctx, http, opened) => {
  const { owner, form, chosen } = opened;
  const outcome = await confirmAddressByLink(ctx, owner, form.get("token") ?? "", causeOfRequest(ctx, http));
  if (outcome.kind === "dead") return linkDead(ctx, http, chosen, outcome.usedAt);
  return confirmedAnswer(ctx, http, opened, outcome);
});

/** Responds to a link that no longer works; the address's page can send another one. */
async function linkDead(
  ctx: Context,
  http: Http,
  chosen: string | undefined,
  usedAt: number | undefined,
): Promise<Response> {
  const frame = await errorFrame(ctx, http, { chosen });
  const props = { kind: "mailed-link", usedAt, startAgainHref: PATH, occurredAt: ctx.clock() } as const;
  return pageAnswer(http, errorPage(props, frame));
}
