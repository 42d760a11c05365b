"use client";
// The authorization servers that an app is connected to, as fields: one group for each, which can be removed.
import { useTranslations } from "next-intl";
import { useField } from "../forms/form-state";
import { LongTextInput, type Option, SelectInput, TextInput } from "../forms/inputs";
import { linesIn } from "../forms/text-to-json";
import { Button } from "../parts/button";
import type { OidcConfig } from "./app";

const NAME = "connectedAuthorizationServers";

/** What is typed; scopes and resources as text. */
interface Typed {
  issuer: string;
  clientId: string;
  scopes: string;
  resources: string;
  subjectType: string;
}

const NEW: Typed = { issuer: "", clientId: "", scopes: "", resources: "", subjectType: "SUBJECT_TYPE_PUBLIC" };

export interface ConnectionListProps {
  label: string;
  connections: OidcConfig[typeof NAME];
  fields: Readonly<Record<keyof Typed, { label: string; hint?: string }>>;
  subjectTypes: readonly Option[];
  /** The label of the button for another one. */
  add: string;
}

const typedFor = ({ scopes = [], resources = [], ...rest }: OidcConfig[typeof NAME][number]): Typed => ({
  ...NEW,
  ...rest,
  scopes: scopes.join(" "),
  resources: resources.join("\n"),
});

/** An empty list or the default is left out, so that an unchanged connection is sent as it was. */
function toConnection({ issuer, clientId, scopes, resources, subjectType }: Typed) {
  const [words, lines] = [scopes.split(/\s+/).filter(Boolean), linesIn(resources)];
  return {
    issuer: issuer.trim(),
    clientId: clientId.trim(),
    ...(words.length > 0 && { scopes: words }),
    ...(lines.length > 0 && { resources: lines }),
    ...(subjectType !== NEW.subjectType && { subjectType }),
  };
}

export function ConnectionList({ label, connections, fields, subjectTypes, add }: ConnectionListProps) {
  const t = useTranslations();
  const { value: entries, change } = useField<readonly Typed[]>({
    name: NAME,
    label,
    initial: connections.map(typedFor),
    isList: true,
    toJson: (typed) => typed.map(toConnection),
    inWords: (typed) => typed.map(({ issuer, scopes }) => `${issuer} ${scopes}`.trim()),
  });
  const groupOf = (entry: Typed, index: number) => {
    const field = (name: keyof Typed) => ({
      ...fields[name],
      name: `${NAME}[${index}].${name}`,
      value: entry[name],
      onChange: (typed: string) => change(entries.with(index, { ...entry, [name]: typed })),
    });
    const legend = t("apps.connectionNumber", { number: index + 1 });
    return (
      <fieldset className="plain-fieldset" key={index}>
        <legend>{legend}</legend>
        <TextInput {...field("issuer")} type="url" required dir="ltr" />
        <TextInput {...field("clientId")} required dir="ltr" />
        <TextInput {...field("scopes")} dir="ltr" />
        <LongTextInput {...field("resources")} rows={2} />
        <SelectInput {...field("subjectType")} options={subjectTypes} />
        <div className="buttons">
          <Button
            look="plain"
            label={t("apps.removeConnection")}
            aria-label={`${t("apps.removeConnection")}: ${legend}`}
            onClick={() => change(entries.toSpliced(index, 1))}
          />
        </div>
      </fieldset>
    );
  };
  return (
    <>
      {entries.map(groupOf)}
      <div className="buttons">
        <Button id="add-connection" look="plain" label={add} onClick={() => change([...entries, NEW])} />
      </div>
    </>
  );
}
