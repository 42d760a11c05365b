// When a secret ends, marked if that is soon or over.
import { useNow, useTranslations } from "next-intl";
import { Moment } from "./moment";

/** How long before its end a secret is marked, in milliseconds: as long as before the event that announces it. */
const NOTICE = 14 * 86_400_000;

export function expiryOf(expiresAt: string | undefined, now: number): "soon" | "expired" | undefined {
  if (expiresAt === undefined) return undefined;
  const left = Date.parse(expiresAt) - now;
  if (left <= 0) return "expired";
  return left <= NOTICE ? "soon" : undefined;
}

export function Expiry({ at }: { at: string | undefined }) {
  const t = useTranslations();
  const expiry = expiryOf(at, useNow().getTime());
  if (at === undefined) return t("apps.neverExpires");
  return (
    <>
      <Moment at={Date.parse(at)} />{" "}
      {expiry && (
        <span className="state warn">{t(expiry === "soon" ? "apps.secretExpiresSoon" : "apps.secretExpired")}</span>
      )}
    </>
  );
}
