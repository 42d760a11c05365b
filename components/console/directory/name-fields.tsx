"use client";
// The address and the user name of somebody new. The name follows the address until somebody types another: most people
// sign in with their address, and nobody should have to type it twice.
import { useTranslations } from "next-intl";
import { type FormEvent, useEffect, useRef } from "react";
import { TextField } from "../fields";

/** @param domain the organization's, which completes short names */
export function NameFields({ domain, children }: { domain: string | undefined; children: React.ReactNode }) {
  const t = useTranslations();
  const container = useRef<HTMLDivElement>(null);
  const isTyped = useRef(false);
  useEffect(() => {
    // The browser may have brought back what was typed before.
    const { email, userName } = fieldsIn(container.current);
    isTyped.current = Boolean(userName?.value) && userName?.value !== email?.value;
  }, []);
  const onInput = ({ target }: FormEvent<HTMLDivElement>) => {
    const { email, userName } = fieldsIn(container.current);
    if (target === userName) isTyped.current = userName.value !== "";
    if (target !== email || !userName || isTyped.current) return;
    userName.value = email.value;
    // On a slow line somebody may be there already, about to type another name: it takes the place of this one.
    if (document.activeElement === userName) userName.select();
  };
  return (
    <div className="bare" ref={container} onInput={onInput}>
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

const fieldsIn = (container: HTMLDivElement | null) => ({
  email: container?.querySelector<HTMLInputElement>('[name="email.email"]'),
  userName: container?.querySelector<HTMLInputElement>('[name="userName"]'),
});
