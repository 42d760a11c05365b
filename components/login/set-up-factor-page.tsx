// Sets up a second factor during a sign-in: because it is required, or as a suggestion that can be postponed.
import type { LoginTranslator } from "../../messages/login";
import type { SentKind } from "../../server/protocol/second-factor";
import { HiddenFields } from "../ui/form";
import { linkTarget } from "../ui/links";
import { bdi, loginNameIn, plainName } from "../ui/user-text";
import { SENT_TO_TEXTS, SET_UP_TEXTS, WAY_NAMES } from "./factor-texts";
import { ToApp } from "./to-app";

/** A factor with its own setup page, or codes that are sent to a verified address. */
export type FactorOffer =
  | { page: keyof typeof SET_UP_TEXTS; href: string }
  | { page?: undefined; kind: SentKind; to: string; action: string };

export interface SetUpFactorProps {
  flow: string;
  loginName: string;
  /** Whether the factor is required, without "Not now". */
  demanded: boolean;
  /** The factors to choose from, in order. */
  offers: readonly FactorOffer[];
  /** The address that "Not now" posts to. */
  laterAction: string;
  /** The application that the user is signing in to. */
  appName?: string;
  organizationName?: string;
}

export function SetUpFactorPage({ t, locale, ...props }: SetUpFactorProps & { t: LoginTranslator; locale: string }) {
  const fields = { flow: props.flow, ui_locales: locale };
  return (
    <>
      <h1>{t("setUpFactor.title")}</h1>
      <ToApp t={t} appName={props.appName} />
      <p className="lead">{t.rich("resetPassword.of", loginNameIn(props.loginName))}</p>
      <p>{t(props.demanded ? "setUpFactor.demanded" : "setUpFactor.suggested")}</p>
      <ul className="ways">
        {props.offers.map((offer) =>
          offer.page === undefined ? (
            <li key={offer.kind}>
              <form method="post" action={offer.action}>
                <HiddenFields values={fields} />
                <button
                  className="link"
                  type="submit"
                  id={`set-up-${offer.kind}`}
                  name={`set-up-${offer.kind}`}
                  value="1"
                >
                  {t(WAY_NAMES[offer.kind])}
                </button>
              </form>
              <p>{t.rich(SENT_TO_TEXTS.setUp, { ...bdi, email: plainName(offer.to) })}</p>
            </li>
          ) : (
            // A passkey needs a script, which shows the entry.
            <li
              key={offer.page}
              hidden={offer.page === "passkey"}
              data-scripted={offer.page === "passkey" ? "passkey" : undefined}
            >
              <a id={`set-up-${offer.page}`} href={linkTarget(offer.href)}>
                {t(SET_UP_TEXTS[offer.page].name)}
              </a>
              {offer.page === "passkey" && <span className="badge">{t("setUpFactor.recommended")}</span>}
              <p>{t(SET_UP_TEXTS[offer.page].text)}</p>
            </li>
          ),
        )}
      </ul>
      {props.offers.every(({ page }) => page === "passkey") && (
        <noscript>
          <p className="note">{t("passkey.unsupported")}</p>
        </noscript>
      )}
      {!props.demanded && (
        <form method="post" action={props.laterAction}>
          <HiddenFields values={fields} />
          <button className="secondary" type="submit" id="not-now" name="not-now" value="1">
            {t("setUpFactor.later")}
          </button>
        </form>
      )}
    </>
  );
}
