// The branding of sign-in pages and mails: a draft with a preview, which is then published.
import { useTranslations } from "next-intl";
import type { BrandWarning } from "../../../server/directory/branding/branding";
import { ResetLabelPolicyToDefault } from "../../../shared/generated/operations";
import { ActionButton } from "../calls/action-button";
import { ConfirmButton } from "../dialogs/confirm-button";
import type { Level } from "../parts/level";
import { BRAND_OPERATIONS, type Contrast, type LabelPolicy } from "./brand";
import { BrandEditor } from "./brand-editor";

export interface BrandingPageProps {
  level: Level;
  draft: LabelPolicy;
  /** The branding of the level above; undefined if none exists. */
  inherited: LabelPolicy | undefined;
  warnings: readonly BrandWarning[];
  /** The contrasts of the draft. */
  contrasts: readonly Contrast[];
  /** Whether the draft is published. */
  isShown: boolean;
  mayWrite: boolean;
}

export function BrandingPage(props: BrandingPageProps) {
  const { level, draft, inherited, warnings, contrasts, isShown, mayWrite } = props;
  const t = useTranslations();
  const isOwn = level === "instance" || !draft.isDefault;
  const title = t(level === "instance" ? "pages.instance_branding" : "pages.branding");
  return (
    <>
      <div className="head named">
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
      <BrandEditor brand={draft} {...{ level, isOwn, inherited, contrasts, mayWrite }} />
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
