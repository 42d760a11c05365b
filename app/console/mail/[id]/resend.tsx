"use client";
// Puts a failed mail back into the queue and shows its new state.
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { ActionButton } from "../../../../components/console/action-button";

export function Resend({ path }: { path: string }) {
  const t = useTranslations();
  const router = useRouter();
  return (
    <ActionButton
      id="resend"
      method="POST"
      path={path}
      label={t("mail.resend")}
      done={t("mail.resent")}
      onDone={() => router.refresh()}
    />
  );
}
