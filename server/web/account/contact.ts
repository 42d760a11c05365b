/**
 * The pages of a user's own email address and phone number. A code can be entered on its page in any window; the mailed
 * link leads to a page that asks for confirmation, in a session of the account or after signing in to it.
 */
import type { AccountPhoneProps } from "../../../components/login/account/contact-pages";
import { accountHref } from "../../../components/login/account-frame";
import type { Context } from "../../context";
import { MAX_EMAIL_LENGTH } from "../../directory/fields";
import { type ContactChannel, emailContact, phoneContact } from "../../directory/mailed-code/contact-code";
import type { CodeProblem } from "../../directory/mailed-code/open";
import { findPasswordHook, isCheckable } from "../../directory/password-hook/password-hook";
import { findSender } from "../../directory/provider/sender";
import { removePhone } from "../../directory/user/contact/change";
import { currentPasswordNow } from "../../directory/user/current-password";
import { findUser } from "../../directory/user/user";
import type { Http } from "../../http/env";
import { attemptOf, causeOfRequest, userAgentOf } from "../../http/request";
import { readProtection } from "../../login/account/account";
import {
  type ChangeAddressProblems,
  type ConfirmContactOutcome,
  changeAddress,
  confirmAddressByLink,
  confirmContactByCode,
  dropPendingContact,
  findPendingContact,
  readAddressLink,
  sendCodeToOwner,
  sendNumberCode,
} from "../../login/account/contact";
import { accountOwner, type FreshOwner } from "../../login/account/owner";
import type { ResendNote } from "../../oidc/proven";
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
import { accountEmailPage, accountPhonePage, addressLinkPage, changeEmailPage } from "./pages";

const PATH = "/account/email";
const CHANGE_PATH = "/account/email/change";
const LINK_PATH = "/account/email/confirm";
const PHONE_PATH = "/account/phone";
const NOTES: readonly ResendNote[] = ["again", "too-soon", "too-many"];

interface RefusedCode {
  error: CodeProblem;
}

interface RefusedAddress {
  /** The address as typed. */
  email: string;
  problems: ChangeAddressProblems;
}

type RefusedPhone = Pick<AccountPhoneProps, "errors" | "typed">;

/** Returns the contact that waits for its code, and what the pages of both contacts show. */
async function findShown(ctx: Context, channel: ContactChannel, path: string, opened: OpenedAccount) {
  const { user } = opened.owner;
  const pending = await findPendingContact(ctx, channel, user);
  const shown = {
    action: `${path}/submit`,
    fields: opened.fields,
    saved: opened.form.has("saved"),
    value: user[channel.column] ?? undefined,
    isVerified: Boolean(user[channel.verified]),
    pending: pending?.value,
    organizationName: user.organizationName,
  };
  return { pending, shown };
}

export const emailPageRoute = ownerPage(async (ctx, http, opened) => {
  const { owner, form, fields, frame } = opened;
  const [{ pending, shown }, sender] = await Promise.all([
    findShown(ctx, emailContact, PATH, opened),
    findSender(ctx, owner.user.organizationId),
  ]);
  const asked = NOTES.find((one) => one === form.get("note"));
  const note = resendNote(ctx, { note: asked, sentAt: pending?.sentAt ?? 0 });
  const error = carriedRefusal<RefusedCode>(ctx, http, form, owner.session.id)?.error;
  const changeHref = accountHref(CHANGE_PATH, fields);
  return pageAnswer(http, accountEmailPage({ ...shown, sender, note, error, changeHref }, frame));
});

/** Whether sign-in codes are sent to the number. */
const isNeeded = ({ sent }: Awaited<ReturnType<typeof readProtection>>) =>
  sent.some(({ kind, factor }) => kind === "sms" && factor !== undefined);

export const phonePageRoute = freshPage(async (ctx, http, opened) => {
  const { owner, form, frame } = opened;
  const refused = carriedRefusal<RefusedPhone>(ctx, http, form, owner.session.id) ?? {};
  const [{ shown }, protection] = await Promise.all([
    findShown(ctx, phoneContact, PHONE_PATH, opened),
    readProtection(ctx, owner),
  ]);
  return pageAnswer(http, accountPhonePage({ ...shown, isRemovable: !isNeeded(protection), ...refused }, frame));
});

interface ContactForm {
  path: string;
  channel: ContactChannel;
  /** Returns the refusal that the page shows for a wrong code. */
  refusedCode(error: CodeProblem): object;
  /** The actions of this contact alone, by the value of `what`. */
  others: Readonly<Record<string, ContactAction>>;
}

type ContactAction = (ctx: Context, http: Http, opened: OpenedAccount<FreshOwner>) => Promise<Response>;

const contactForm = ({ path, channel, refusedCode, others }: ContactForm) =>
  freshForm(path, async (ctx, http, opened) => {
    const { owner, form } = opened;
    const what = form.get("what") ?? "";
    if (what === "confirm") {
      const code = form.get("code") ?? "";
      const outcome = await confirmContactByCode(ctx, channel, owner, code, causeOfRequest(ctx, http));
      return outcome.kind === "refused"
        ? refusedForm(ctx, http, opened, path, refusedCode(outcome.reason))
        : confirmedAnswer(ctx, http, opened, path, outcome);
    }
    const action = Object.hasOwn(others, what) ? others[what] : undefined;
    if (action) return action(ctx, http, opened);
    if (what === "drop") await dropPendingContact(ctx, channel, owner);
    return backTo(ctx, http, opened, path);
  });

/** Redirects to the contact's page, which shows the current state even if the code was no longer valid. */
function confirmedAnswer(
  ctx: Context,
  http: Http,
  opened: OpenedAccount,
  path: string,
  { kind }: ConfirmContactOutcome,
): Response {
  return kind === "confirmed" ? backAfterSaving(ctx, http, opened, path) : backTo(ctx, http, opened, path);
}

export const emailSubmitRoute = contactForm({
  path: PATH,
  channel: emailContact,
  refusedCode: (error) => ({ error }) satisfies RefusedCode,
  others: {
    async send(ctx, http, opened) {
      const note = await sendCodeToOwner(ctx, opened.owner, attemptOf(ctx, http));
      return backTo(ctx, http, opened, note === undefined ? PATH : `${PATH}?note=${note}`);
    },
  },
});

export const phoneSubmitRoute = contactForm({
  path: PHONE_PATH,
  channel: phoneContact,
  refusedCode: (code) => ({ errors: { code } }) satisfies RefusedPhone,
  others: {
    async send(ctx, http, opened) {
      const typed = opened.form.get("phone") ?? "";
      const outcome = await sendNumberCode(ctx, opened.owner, typed, attemptOf(ctx, http));
      if (outcome === "sent" || outcome === "too-soon") return backTo(ctx, http, opened, PHONE_PATH);
      const refused: RefusedPhone = { errors: { phone: outcome }, ...shownAgain({ typed }) };
      return refusedForm(ctx, http, opened, PHONE_PATH, refused);
    },
    async remove(ctx, http, opened) {
      const { user } = opened.owner;
      if (isNeeded(await readProtection(ctx, opened.owner))) return backTo(ctx, http, opened, PHONE_PATH);
      const ref = { organizationId: user.organizationId, userId: user.id };
      await removePhone({ ...ctx, origin: { actor: user.id, ...causeOfRequest(ctx, http) } }, ref);
      return backAfterSaving(ctx, http, opened, PHONE_PATH);
    },
  },
});

export const changeEmailPageRoute = freshPage(async (ctx, http, { owner, frame, fields, form }) => {
  const { loginName, passwordHash, organizationId, organizationName } = owner.user;
  const { email, problems } = carriedRefusal<RefusedAddress>(ctx, http, form, owner.session.id) ?? {};
  const { currentPassword, retryAfterMinutes } = currentPasswordNow(ctx, problems ?? {});
  const page = changeEmailPage(
    {
      action: `${CHANGE_PATH}/submit`,
      fields,
      loginName,
      email,
      hasPassword: isCheckable(passwordHash, await findPasswordHook(ctx, organizationId)),
      errors: { email: problems?.email, currentPassword },
      retryAfterMinutes,
      maximumLength: MAX_EMAIL_LENGTH,
      cancelHref: accountHref(PATH, fields),
      organizationName,
    },
    frame,
  );
  return pageAnswer(http, page);
});

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
  return confirmedAnswer(ctx, http, opened, PATH, outcome);
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
