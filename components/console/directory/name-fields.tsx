"use client";
// The address and the user name of somebody new. The name follows the address until somebody types another: most people
// sign in with their address, and nobody should have to type it twice.
import { useTranslations } from "next-intl";
import { type FormEvent, useRef } from "react";
import { TextField } from "../fields";

/** @param domain the organization's, which completes short names */
export function NameFields({ domain, children }: { domain: string | undefined; children: React.ReactNode }) {
  const t = useTranslations();
  const isTyped = useRef(false);
  const follow = ({ target, currentTarget }: FormEvent<HTMLDivElement>) => {
    const { name, value } = target as HTMLInputElement;
    if (name === "userName") isTyped.current = value !== "";
    if (name !== "email.email" || isTyped.current) return;
    const userName = currentTarget.querySelector<HTMLInputElement>('[name="userName"]');
    if (userName) userName.value = value;
  };
  return (
    <div className="bare" onInput={follow}>
      <TextField name="email.email" label={t("directory.email")} type="email" required maxLength={200} />
      {children}
      <TextField
        name="userName"
        label={t("directory.userName")}
        hint={domain === undefined ? t("directory.userNameHint") : t("directory.userNameDomainHint", { domain })}
        required
        maxLength={200}
      />
    </div>
  );
}
