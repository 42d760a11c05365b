// The details that identify a session: the device in words, and the sign-in methods.
import { useTranslations } from "next-intl";
import type { ActiveSession } from "./active-session";
import { signInWays } from "./methods";

/**
 * The device of a session. The tooltip is the complete User-Agent header: two browsers of the same name may differ in
 * it.
 */
export function SessionDevice({ session: { device, userAgent } }: { session: ActiveSession }) {
  const t = useTranslations();
  return <bdi title={userAgent}>{device ?? t("operations.unknownDevice")}</bdi>;
}

export function SessionMethods({ methods }: Pick<ActiveSession, "methods">) {
  const t = useTranslations();
  const { known, others } = signInWays(methods);
  return [...known.map((way) => t(`operations.by.method.${way}`)), ...others].join(" + ");
}
