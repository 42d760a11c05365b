"use client";
// The field that selects a user: by search, or by id if the visitor may not search users.
import { useTranslations } from "next-intl";
import { ChoiceField } from "../forms/choice";
import { TextField } from "../forms/fields";
import { findUsers } from "./find-users";

/**
 * The field.
 * @param among where users are searched; undefined if the visitor may not search
 */
export function UserChoice({ among }: { among: "instance" | "organization" | undefined }) {
  const t = useTranslations();
  const what = { name: "userId", required: true } as const;
  return among ? (
    <ChoiceField {...what} label={t("directory.who")} search={(typed) => findUsers(typed, among)} />
  ) : (
    <TextField
      {...what}
      label={t("directory.userId")}
      hint={t("directory.userIdHint")}
      pattern="[A-Za-z0-9._@\-]{1,200}"
      dir="ltr"
    />
  );
}
