"use client";
// The addresses of an app, one field each, validated by the server's rules while they are typed.
import { useTranslations } from "next-intl";
import { useEffect, useId, useRef, useState } from "react";
import type { AnswerOf, BodyOf } from "../../../shared/declared";
import { CheckRedirectUri } from "../../../shared/generated/operations";
import { callOperation } from "../calls/call";
import { useFieldProblem } from "../calls/problems";
import { problemText } from "./problem-text";

export interface AddressListProps {
  /** The name of the list in the JSON, without `[]`. */
  name: string;
  legend: string;
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

interface Entry {
  key: number;
  address: string;
}

export function AddressList({ name, legend, hint, addresses, settings, verdicts }: AddressListProps) {
  const t = useTranslations();
  const id = useId();
  const problem = useFieldProblem(name);
  const next = useRef(0);
  // Existing fields are kept: a new field would lose what the user is typing.
  const entriesOf = (list: readonly string[], there: readonly Entry[] = []): Entry[] =>
    (list.length > 0 ? list : [""]).map((address, index) => ({ key: there[index]?.key ?? next.current++, address }));
  const [entries, setEntries] = useState(() => entriesOf(addresses));
  // A new suggestion replaces an untouched value; typed input is kept.
  const suggested = addresses.join("\n");
  const before = useRef(suggested);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the suggestion matters, not its list
  useEffect(() => {
    const untouched = before.current;
    before.current = suggested;
    if (suggested === untouched) return;
    setEntries((list) =>
      list.map(({ address }) => address).join("\n") === untouched ? entriesOf(addresses, list) : list,
    );
  }, [suggested]);
  const change = (key: number, address: string) =>
    setEntries((list) => list.map((entry) => (entry.key === key ? { key, address } : entry)));
  const add = () => setEntries((list) => [...list, { key: next.current++, address: "" }]);
  const remove = (key: number) => setEntries((list) => list.filter((entry) => entry.key !== key));
  return (
    <fieldset className="choices" aria-describedby={`${id}-hint`}>
      <legend>{legend}</legend>
      <p className="hint" id={`${id}-hint`}>
        {hint}
      </p>
      {problem && <p className="field-problem">{problem}</p>}
      {entries.map(({ key, address }, index) => (
        <Address
          key={key}
          id={`${name}-${index}`}
          label={t("apps.addressNumber", { what: legend, number: index + 1 })}
          address={address}
          settings={settings}
          known={verdicts?.[address]}
          onChange={(typed) => change(key, typed)}
          onRemove={() => remove(key)}
        />
      ))}
      {entries
        .filter(({ address }) => address.trim() !== "")
        .map(({ key, address }) => (
          <input key={key} type="hidden" name={`${name}[]`} value={address.trim()} />
        ))}
      {/* The list is sent even if it is empty. */}
      <input type="checkbox" hidden name={`${name}[]`} value="" checked={false} readOnly />
      <div className="buttons">
        <button type="button" className="plain" id={`${name}-add`} onClick={add}>
          {t("apps.addAddress")}
        </button>
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
        <button type="button" className="plain" onClick={onRemove} aria-label={`${t("apps.removeAddress")}: ${label}`}>
          {t("apps.removeAddress")}
        </button>
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
