"use client";
// The addresses of an app, one field each, validated by the server's rules while they are typed.
import { useTranslations } from "next-intl";
import { useEffect, useId, useState } from "react";
import type { AnswerOf, BodyOf } from "../../../shared/declared";
import { CheckRedirectUri } from "../../../shared/generated/operations";
import { callOperation } from "../calls/call";
import { useFieldProblem } from "../calls/problems";
import { useField } from "../forms/form-state";
import { Button } from "../parts/button";
import { problemText } from "./problem-text";

export interface AddressListProps {
  /** The name of the list in the JSON, without `[]`. */
  name: string;
  label: string;
  hint: string;
  /** The initial addresses. */
  addresses: readonly string[];
  /**
   * The settings that the rules depend on: appType, authMethodType, devMode … If left out, addresses are not checked.
   */
  settings?: Readonly<Record<string, unknown>>;
  /** The results of the rules for the initial addresses, by address. */
  verdicts?: Readonly<Record<string, Verdict>>;
}

/** Returns what is typed, without the empty fields. */
const typedIn = (addresses: readonly string[]) => addresses.map((address) => address.trim()).filter(Boolean);

export function AddressList({ name, label, hint, addresses, settings, verdicts }: AddressListProps) {
  const t = useTranslations();
  const id = useId();
  const problem = useFieldProblem(name);
  const { value: entries, change } = useField<readonly string[]>({
    name,
    label,
    initial: addresses.length > 0 ? addresses : [""],
    isList: true,
    toJson: typedIn,
    inWords: typedIn,
  });
  return (
    <fieldset className="choices" aria-describedby={`${id}-hint`}>
      <legend>{label}</legend>
      <p className="hint" id={`${id}-hint`}>
        {hint}
      </p>
      {problem && <p className="field-problem">{problem}</p>}
      {entries.map((address, index) => (
        <Address
          // biome-ignore lint/suspicious/noArrayIndexKey: the address itself changes with every key press
          key={index}
          id={`${name}-${index}`}
          label={t("apps.addressNumber", { what: label, number: index + 1 })}
          address={address}
          settings={settings}
          known={verdicts?.[address]}
          onChange={(typed) => change(entries.with(index, typed))}
          onRemove={() => change(entries.toSpliced(index, 1))}
        />
      ))}
      <div className="buttons">
        <Button id={`${name}-add`} look="plain" label={t("apps.addAddress")} onClick={() => change([...entries, ""])} />
      </div>
    </fieldset>
  );
}

interface AddressProps extends Pick<AddressListProps, "settings"> {
  id: string;
  label: string;
  address: string;
  /** The result of the rules for this address, if it is known. */
  known: Verdict | undefined;
  onChange(address: string): void;
  onRemove(): void;
}

export type Verdict = AnswerOf<"CheckRedirectUri">;

/** The delay between a keystroke and the request to the server, in milliseconds. */
const PAUSE = 250;

function Address({ id, label, address, settings, known, onChange, onRemove }: AddressProps) {
  const t = useTranslations();
  const asked = JSON.stringify({ uri: address.trim(), ...settings });
  const [judged, setJudged] = useState({ asked, verdict: known });
  const verdict = judged.asked === asked ? judged.verdict : undefined;
  const mustAsk = address.trim() !== "" && settings !== undefined && verdict === undefined;
  useEffect(() => {
    if (!mustAsk) return;
    const question = JSON.parse(asked) as BodyOf<"CheckRedirectUri">;
    let isOld = false;
    const timer = setTimeout(async () => {
      const answer = await callOperation(CheckRedirectUri, { body: question });
      if (!isOld && answer.ok) setJudged({ asked, verdict: answer.body });
    }, PAUSE);
    return () => {
      isOld = true;
      clearTimeout(timer);
    };
  }, [asked, mustAsk]);
  return (
    <div className="field address">
      <label htmlFor={id} className="hidden">
        {label}
      </label>
      <div className="inline">
        <input
          id={id}
          type="text"
          inputMode="url"
          dir="ltr"
          autoComplete="off"
          spellCheck={false}
          value={address}
          aria-invalid={verdict?.valid === false ? true : undefined}
          aria-describedby={`${id}-verdict`}
          onChange={(event) => onChange(event.target.value)}
        />
        <Button
          look="plain"
          label={t("apps.removeAddress")}
          onClick={onRemove}
          aria-label={`${t("apps.removeAddress")}: ${label}`}
        />
      </div>
      <div id={`${id}-verdict`} role="status">
        {verdict?.valid === false && (
          <p className="field-problem">
            {verdict.reason} {verdict.suggestion && t("apps.didYouMean", { address: verdict.suggestion })}
          </p>
        )}
        {verdict?.warnings?.map((problem) => (
          <p className="hint" key={problem.key}>
            {problemText(t, problem)}
          </p>
        ))}
      </div>
    </div>
  );
}
