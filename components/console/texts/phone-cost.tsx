// The cost of a text message: its segments, the free space in the last one, and the characters that make it expensive.
import { useTranslations } from "next-intl";
import type { Schemas } from "../../../server/api/generated/operations";

/**
 * The cost.
 * @param segments undefined if nothing is shown yet
 */
export function PhoneCost({ segments }: { segments: Schemas["Preview"]["segments"] }) {
  const t = useTranslations();
  if (!segments) return null;
  const { count, encoding, left, unusual } = segments;
  return (
    <div className="hint" id="phone-cost">
      <p>
        {t("texts.segments", { count, encoding })} · {t("texts.segmentsLeft", { left })}
      </p>
      {unusual.length > 0 && <p>{t("texts.segmentsUnusual", { characters: unusual.join(" ") })}</p>}
    </div>
  );
}
