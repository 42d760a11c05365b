"use client";
// The address and the user name of somebody new. The name follows the address until somebody types another: most people
// sign in with their address, and nobody should have to type it twice.
import { useTranslations } from "next-intl";
import { type FormEvent, useCallback, useEffect, useRef } from "react";
import { TextField } from "../fields";

/** @param domain the organization's, which completes short names */
export function NameFields({ domain, children }: { domain: string | undefined; children: React.ReactNode }) {
  const t = useTranslations();
  const place = useRef<HTMLDivElement>(null);
  const isTyped = useRef(false);
  const follow = useCallback(() => {
    const field = (name: string) => place.current?.querySelector<HTMLInputElement>(`[name="${name}"]`);
    const [email, userName] = [field("email.email"), field("userName")];
    if (email && userName && !isTyped.current) userName.value = email.value;
  }, []);
  useEffect(() => {
    // Somebody may have typed before this script ran.
    isTyped.current = Boolean(place.current?.querySelector<HTMLInputElement>('[name="userName"]')?.value);
    follow();
  }, [follow]);
  const onInput = ({ target }: FormEvent<HTMLDivElement>) => {
    const { name, value } = target as HTMLInputElement;
    if (name === "userName") isTyped.current = value !== "";
    if (name === "email.email") follow();
  };
  return (
    <div className="bare" ref={place} onInput={onInput}>
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
