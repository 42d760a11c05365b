"use client";
// Tries the settings of an LDAP directory as they are typed, and shows what a sign-in would take from a user's entry.
import { useTranslations } from "next-intl";
import { useState } from "react";
import type { BodyOf } from "../../../shared/declared";
import { TestInstanceLDAPProvider, TestLDAPProvider } from "../../../shared/generated/operations";
import { useOperation } from "../calls/operation";
import { Problems } from "../calls/problems";
import { useBodyAround } from "../forms/form-state";
import { TextInput } from "../forms/inputs";
import { withHint } from "../forms/with-hint";
import { Button } from "../parts/button";
import { Facts } from "../parts/facts";
import type { ProviderOwnerLevel } from "./provider-operations";

const OPERATIONS = { instance: TestInstanceLDAPProvider, organization: TestLDAPProvider } as const;

export interface DirectoryTestProps {
  level: ProviderOwnerLevel;
  /** The saved directory whose password is used if none is typed. */
  id?: string;
}

export function DirectoryTest({ level, id }: DirectoryTestProps) {
  const t = useTranslations();
  const typed = useBodyAround();
  const [loginName, setLoginName] = useState("");
  const [tried, setTried] = useState<Awaited<ReturnType<typeof test.start>>>();
  const test = useOperation<"TestLDAPProvider">({ operation: OPERATIONS[level] as typeof TestLDAPProvider });
  const send = async () => {
    setTried(undefined);
    const body: BodyOf<"TestLDAPProvider"> = { ...typed(), id, loginName: loginName.trim() };
    setTried(await test.start(body as Record<string, unknown>));
  };
  const user = tried?.user;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would belong to the values that are saved
    <div role="group" className="plain-fieldset" aria-labelledby="directory-test">
      <h3 id="directory-test">{t("settings.ldapTest")}</h3>
      <TextInput
        name="sample"
        {...withHint(t, "settings.ldapSample")}
        value={loginName}
        onChange={setLoginName}
        maxLength={320}
      />
      <Problems refusal={test.refusal} />
      <p className="buttons">
        <Button id="test-directory" label={t("settings.ldapTest")} isDisabled={test.isBusy} onClick={send} />
      </p>
      <div role="status">
        {test.isBusy && <p>{t("settings.ldapTesting")}</p>}
        {tried && <p>{t(user ? "settings.ldapFound" : "settings.ldapReached")}</p>}
        {user && (
          <Facts
            facts={[
              [t("settings.ldapDn"), <code key="dn">{user.dn}</code>],
              [t("settings.by.ldapAttribute.idAttribute"), <code key="id">{user.externalId}</code>],
              [t("settings.by.ldapAttribute.preferredUsernameAttribute"), <bdi key="name">{user.userName}</bdi>],
              [t("settings.by.ldapAttribute.emailAttribute"), user.email && <bdi>{user.email}</bdi>],
              [t("settings.by.ldapAttribute.firstNameAttribute"), user.givenName && <bdi>{user.givenName}</bdi>],
              [t("settings.by.ldapAttribute.lastNameAttribute"), user.familyName && <bdi>{user.familyName}</bdi>],
              [t("settings.by.ldapAttribute.preferredLanguageAttribute"), user.language],
              [t("settings.ldapGroups"), user.groups.length > 0 && <code>{user.groups.join("\n")}</code>],
            ]}
          />
        )}
      </div>
    </div>
  );
}
