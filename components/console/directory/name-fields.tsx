"use client";
// The email address and the user name of a new user. The name follows the address until the user edits it: most users
// sign in with their address, which should not have to be typed twice.
import { useTranslations } from "next-intl";
import { type ReactNode, useEffect, useRef } from "react";
import { useWatch } from "react-hook-form";
import { TextField } from "../forms/fields";
import { useFormAround } from "../forms/form-state";

const EMAIL = "email.email";
const NAME = "userName";

/**
 * The fields.
 * @param domain the organization's domain, which completes short names
 */
export function NameFields({ domain, children }: { domain: string | undefined; children: ReactNode }) {
  const t = useTranslations();
  const { state } = useFormAround();
  const container = useRef<HTMLDivElement>(null);
  const followed = useRef("");
  const name = useWatch({ control: state.control, name: NAME });
  const follow = (email: string) => {
    const now = state.getValues(NAME);
    if (now === followed.current || now === "") state.setValue(NAME, email);
    followed.current = email;
  };
  useEffect(() => {
    // On a slow connection the user may already be in the field; selecting the text lets typing replace it.
    const field = container.current?.querySelector<HTMLInputElement>(`[name=${NAME}]`);
    if (field && field === document.activeElement && name === followed.current) field.select();
  }, [name]);
  return (
    <div className="bare" ref={container}>
      <TextField name={EMAIL} label={t("directory.email")} type="email" required maxLength={200} onType={follow} />
      {children}
      <TextField
        name={NAME}
        label={t("directory.userName")}
        hint={domain === undefined ? t("directory.userNameHint") : t("directory.userNameDomainHint", { domain })}
        required
        maxLength={200}
      />
    </div>
  );
}
