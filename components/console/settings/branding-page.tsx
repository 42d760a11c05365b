// The branding of sign-in pages and mails: a draft with a preview, which is then published.
import { useTranslations } from "next-intl";
import { ActionButton } from "../action-button";
import { ConfirmButton } from "../confirm-button";
import { ResetLabelPolicyToDefault } from "../generated/operations";
import { BRAND_OPERATIONS, type Brand, type BrandWarning, PICTURES } from "./brand";
import { BrandEditor } from "./brand-editor";
import { BrandPicture } from "./brand-picture";
import type { PolicyLevel } from "./policy";

export interface BrandingPageProps {
  level: PolicyLevel;
  draft: Brand;
  warnings: readonly BrandWarning[];
  /** Whether the draft is published. */
  isShown: boolean;
  mayWrite: boolean;
}

export function BrandingPage({ level, draft, warnings, isShown, mayWrite }: BrandingPageProps) {
  const t = useTranslations();
  const isOwn = level === "instance" || !draft.isDefault;
  const title = t(level === "instance" ? "pages.instance_branding" : "pages.branding");
  return (
    <>
      <div className="head">
        <h1>{title}</h1>
        {level === "organization" && (
          <span className={isOwn ? "state good" : "state"}>{t(isOwn ? "settings.own" : "settings.inherited")}</span>
        )}
      </div>
      <p className="lead">{t("settings.brandingLead")}</p>
      {!isShown && (
        <div className="banner head">
          <p>{t("settings.draft")}</p>
          {mayWrite && (
            <ActionButton
              id="activate-brand"
              look="primary"
              label={t("settings.activate")}
              operation={BRAND_OPERATIONS[level].activate}
              body={{}}
              done={t("settings.activated")}
            />
          )}
        </div>
      )}
      {warnings.length > 0 && (
        <div className="banner">
          <h2>{t("settings.warnings")}</h2>
          <ul>
            {warnings.map(({ field, message }) => (
              <li key={field + message}>
                <code>{field}</code> {message}
              </li>
            ))}
          </ul>
        </div>
      )}
      <BrandEditor brand={draft} level={level} isOwn={isOwn} mayWrite={mayWrite} />
      <section aria-labelledby="pictures" className="section">
        <h2 id="pictures">{t("settings.pictures")}</h2>
        <p className="hint">{t("settings.picturesHint")}</p>
        <div className="pictures">
          {PICTURES.map(({ name, url }) => (
            <BrandPicture key={name} name={name} level={level} source={draft[url]} mayWrite={mayWrite} />
          ))}
        </div>
      </section>
      {mayWrite && level === "organization" && isOwn && (
        <p>
          <ConfirmButton
            id="reset-brand"
            label={t("settings.inherit")}
            title={t("settings.inheritTitle", { name: title })}
            text={<p>{t("settings.inheritBrand")}</p>}
            operation={ResetLabelPolicyToDefault}
            done={t("settings.saved")}
          />
        </p>
      )}
    </>
  );
}
