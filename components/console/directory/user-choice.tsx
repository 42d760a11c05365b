"use client";
// The field that selects a user: by search, or by id if the visitor may not search users.
import { useTranslations } from "next-intl";
import { ChoiceField } from "../forms/choice";
import { TextField } from "../forms/fields";
import { withHint } from "../forms/with-hint";
import { findUsers } from "./find-users";

/**
 * Where users are searched: in all organizations, in the current one, or in the current one first and then in the
 * others; undefined if the visitor may not search.
 */
export type UserPlace = "instance" | "organization" | "organizationFirst" | undefined;

/** The field. */
export function UserChoice({ among }: { among: UserPlace }) {
  const t = useTranslations();
  const what = { name: "userId", required: true } as const;
  return among ? (
    <ChoiceField
      {...what}
      label={t("directory.who")}
      emptyHint={among === "organization" ? t("directory.whoElsewhere") : undefined}
      search={(typed) => findIn(among, typed)}
    />
  ) : (
    <TextField {...what} {...withHint(t, "directory.userId")} pattern="[A-Za-z0-9._@\-]{1,200}" dir="ltr" />
  );
}

async function findIn(among: NonNullable<UserPlace>, typed: string) {
  if (among !== "organizationFirst") return findUsers(typed, among);
  if (typed.trim() === "") return findUsers(typed, "organization");
  const [own, all] = await Promise.all([findUsers(typed, "organization"), findUsers(typed, "instance")]);
  const known = new Set(own.map(({ value }) => value));
  return [...own, ...all.filter(({ value }) => !known.has(value))];
}
