// The settings that a framework needs, each with its reason.
import { useTranslations } from "next-intl";
import type { NeededSetting, SettingReason } from "./frameworks";

/** The labels of the settings form. */
const LABELS = {
  idTokenUserinfoAssertion: "apps.userInfoInsideIdToken",
  legacyAssertionAudience: "apps.legacyAssertionAudience",
  allowAssertionReuse: "apps.allowAssertionReuse",
  accessTokenType: "apps.accessTokenType",
  accessTokenJwtType: "apps.accessTokenJwtType",
} as const satisfies Record<NeededSetting, string>;

export function NeededSettingsList({ reasons }: { reasons: readonly SettingReason[] }) {
  const t = useTranslations();
  if (reasons.length === 0) return null;
  return (
    <ul className="needed-settings">
      {reasons.map(({ setting, framework }) => (
        <li key={setting}>
          <strong>{t(LABELS[setting])}</strong>: {t(`apps.by.because.${setting}`, { framework })}
        </li>
      ))}
    </ul>
  );
}
