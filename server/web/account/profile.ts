/** The page and form of a user's own profile. */
import type { Context } from "../../context";
import { MAX_NAME_LENGTH } from "../../directory/fields";
import { knownLanguages, languagesOf } from "../../directory/policy/languages";
import type { Http } from "../../http/env";
import { causeOfRequest } from "../../http/request";
import { changeProfile, type ProfileForm, type ProfileProblems, readProfile } from "../../login/account/profile";
import { pageAnswer } from "../authorization";
import { carriedRefusal, shownAgain } from "../refusal";
import { backAfterSaving, type OpenedAccount, ownerForm, ownerPage, refusedForm } from "./open";
import { accountProfilePage } from "./pages";

const PATH = "/account/profile";

/** The time zones, including UTC, which users choose but not every runtime lists. */
const timeZones = [...new Set(["UTC", ...Intl.supportedValuesOf("timeZone")])];

export const profilePageRoute = ownerPage(async (ctx, http, opened) => {
  const { owner, form } = opened;
  const stored = await readProfile(ctx, owner.user.id);
  const { values = stored, errors } = carriedRefusal<RefusedProfile>(ctx, http, form, owner.session.id) ?? {};
  return showProfile(ctx, http, opened, values, { stored, errors });
});

interface RefusedProfile {
  /** The values as typed. */
  values: ProfileForm;
  errors: ProfileProblems;
}

async function showProfile(
  ctx: Context,
  http: Http,
  { owner, frame, fields, form }: OpenedAccount,
  values: ProfileForm,
  { stored, errors }: { stored: ProfileForm; errors?: ProfileProblems },
): Promise<Response> {
  // Offers the stored values even if they are on neither list.
  const { language, timeZone } = stored;
  const { entries } = await knownLanguages(ctx);
  const isListed = language === "" || entries.some(({ tag }) => tag === language);
  const page = accountProfilePage(
    {
      action: "/account/profile/submit",
      fields,
      saved: form.has("saved"),
      values,
      errors,
      languages: isListed ? entries : [{ tag: language, endonym: nameOf(language) }, ...entries],
      timeZones: timeZone === "" || timeZones.includes(timeZone) ? timeZones : [timeZone, ...timeZones],
      maximumLength: MAX_NAME_LENGTH,
      organizationName: owner.user.organizationName,
    },
    frame,
  );
  return pageAnswer(http, page);
}

/** Returns the name of a language in that language; its tag if that is unknown. */
function nameOf(tag: string): string {
  return new Intl.DisplayNames([tag], { type: "language" }).of(tag) ?? tag;
}

export const profileSubmitRoute = ownerForm(PATH, async (ctx, http, opened) => {
  const { owner, form } = opened;
  const typed = (name: keyof ProfileForm) => form.get(name) ?? "";
  const values: ProfileForm = {
    givenName: typed("givenName"),
    familyName: typed("familyName"),
    nickname: typed("nickname"),
    displayName: typed("displayName"),
    language: typed("language"),
    timeZone: typed("timeZone"),
  };
  const stored = await readProfile(ctx, owner.user.id);
  const choices = { languages: await languagesOf(ctx), timeZones };
  const outcome = await changeProfile(ctx, owner, values, choices, causeOfRequest(ctx, http));
  if (outcome.kind === "refused") {
    const refused: RefusedProfile = { values: shownAgain({ ...values }), errors: outcome.problems };
    return refusedForm(ctx, http, opened, PATH, refused);
  }
  // A newly selected language overrides the one chosen on the page before.
  const chosen = values.language === stored.language ? opened.chosen : undefined;
  return backAfterSaving(ctx, http, { ...opened, chosen }, PATH);
});
