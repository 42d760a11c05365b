"use client";
// The field that chooses a user: by searching, or by id if the visitor may not search people.
import { useTranslations } from "next-intl";
import { Choice } from "../choice";
import { TextField } from "../fields";
import { findUsers } from "./find-users";

/** @param among where people are searched; undefined if the visitor may not search */
export function UserChoice({ among }: { among: "instance" | "organization" | undefined }) {
  const t = useTranslations();
  const what = { name: "userId", required: true } as const;
  return among ? (
    <Choice {...what} label={t("directory.who")} search={(typed) => findUsers(typed, among)} />
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
