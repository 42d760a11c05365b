"use client";
// The email address and the user name of a new user. The name follows the address until the user edits it: most users
// sign in with their address, which should not have to be typed twice.
import { useTranslations } from "next-intl";
import { type FormEvent, useEffect, useRef } from "react";
import { TextField } from "../forms/fields";

/**
 * The fields.
 * @param domain the organization's domain, which completes short names
 */
export function NameFields({ domain, children }: { domain: string | undefined; children: React.ReactNode }) {
  const t = useTranslations();
  const container = useRef<HTMLDivElement>(null);
  const isTyped = useRef(false);
  useEffect(() => {
    // The browser may have restored typed values.
    const { email, userName } = fieldsIn(container.current);
    isTyped.current = Boolean(userName?.value) && userName?.value !== email?.value;
  }, []);
  const onInput = ({ target }: FormEvent<HTMLDivElement>) => {
    const { email, userName } = fieldsIn(container.current);
    if (target === userName) isTyped.current = userName.value !== "";
    if (target !== email || !userName || isTyped.current) return;
    userName.value = email.value;
    // On a slow connection the user may already be in the field; selecting the text lets typing replace it.
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
