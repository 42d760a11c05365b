/** The page of a user's own phone number. The code is entered there, in any window. */
import type { AccountPhoneProps } from "../../../components/login/account/phone-page";
import { removePhone } from "../../directory/user/contact/change";
import { attemptOf, causeOfRequest } from "../../http/request";
import { readProtection } from "../../login/account/account";
import { confirmNumber, dropPendingNumber, findPendingNumber, sendNumberCode } from "../../login/account/phone";
import { pageAnswer } from "../authorization";
import { carriedRefusal, shownAgain } from "../refusal";
import { backAfterSaving, backTo, freshForm, freshPage, refusedForm } from "./open";
import { accountPhonePage } from "./pages";

const PATH = "/account/phone";

type Refused = Pick<AccountPhoneProps, "errors" | "typed">;

/** Whether sign-in codes are sent to the number. */
const isNeeded = (sent: Awaited<ReturnType<typeof readProtection>>["sent"]) =>
  sent.some(({ kind, factor }) => kind === "sms" && factor !== undefined);

export const phonePageRoute = freshPage(async (ctx, http, opened) => {
  const { owner, form, frame, fields } = opened;
  const { user } = owner;
  const refused = carriedRefusal<Refused>(ctx, http, form, owner.session.id) ?? {};
  const [pending, { sent }] = await Promise.all([findPendingNumber(ctx, user), readProtection(ctx, owner)]);
  const page = accountPhonePage(
    {
      action: `${PATH}/submit`,
      fields,
      saved: form.has("saved"),
      phone: user.phone ?? undefined,
      isPhoneVerified: Boolean(user.isPhoneVerified),
      pending: pending?.phone,
      isRemovable: !isNeeded(sent),
      organizationName: user.organizationName,
      ...refused,
    },
    frame,
  );
  return pageAnswer(http, page);
});

export const phoneSubmitRoute = freshForm(PATH, async (ctx, http, opened) => {
  const { owner, form } = opened;
  const { user } = owner;
  const cause = causeOfRequest(ctx, http);
  const refuse = (refused: Refused) => refusedForm(ctx, http, opened, PATH, refused);
  switch (form.get("what")) {
    case "send": {
      const typed = form.get("phone") ?? "";
      const outcome = await sendNumberCode(ctx, owner, typed, attemptOf(ctx, http));
      if (outcome === "sent" || outcome === "too-soon") return backTo(ctx, http, opened, PATH);
      return refuse({ errors: { phone: outcome }, ...shownAgain({ typed }) });
    }
    case "confirm": {
      const outcome = await confirmNumber(ctx, owner, form.get("code") ?? "", cause);
      if (outcome === "confirmed") return backAfterSaving(ctx, http, opened, PATH);
      return outcome === "dead" ? backTo(ctx, http, opened, PATH) : refuse({ errors: { code: outcome } });
    }
    case "remove": {
      const { sent } = await readProtection(ctx, owner);
      if (isNeeded(sent)) return backTo(ctx, http, opened, PATH);
      const ref = { organizationId: user.organizationId, userId: user.id };
      await removePhone(ctx, ref, { actor: user.id, ...cause });
      return backAfterSaving(ctx, http, opened, PATH);
    }
    case "drop":
      await dropPendingNumber(ctx, owner);
      return backTo(ctx, http, opened, PATH);
    default:
      return backTo(ctx, http, opened, PATH);
  }
});
