"use client";
// One policy: its settings, whether an organization overrides them, and the form to change them. It shows what will
// change before it is saved, and can undo the change afterwards.
import { useTranslations } from "next-intl";
import { type FormEvent, useEffect, useRef, useState } from "react";
import type { Declared } from "../../../shared/declared";
import { callOperation } from "../calls/call";
import { useOperation } from "../calls/operation";
import { Problems, RefusedForm } from "../calls/problems";
import { useRefresh } from "../calls/refresh";
import { useUndo } from "../calls/undo";
import { LeaveDialog } from "../forms/leave-dialog";
import { ReadyFieldset } from "../forms/ready-fieldset";
import { SaveButtons } from "../forms/save-buttons";
import { useLeaveGuard } from "../forms/use-leave-guard";
import { useValidity } from "../forms/validity";
import type { Level } from "../parts/level";
import { OverrideSwitch } from "./override-switch";
import {
  idOfPolicy,
  POLICY_KINDS,
  POLICY_OPERATIONS,
  type PolicyDeclaration,
  type PolicyField,
  type Presets,
  type ReadPolicy,
} from "./policy";
import { PolicyChanges } from "./policy-changes";
import { PolicyFieldView } from "./policy-field";
import { CUSTOM, isReplaced, PolicyPresets, settingsOf, usePresetText } from "./policy-presets";
import { changesOf, type PolicyState, policyStateOf, presetOf, saving, withInherited, withValue } from "./policy-state";

export interface PolicyFormProps extends ReadPolicy {
  level: Level;
  mayWrite: boolean;
}

export function PolicyForm({ path, policy, inherited, level, mayWrite }: PolicyFormProps) {
  const t = useTranslations();
  const kind = POLICY_KINDS.find((kind) => kind.path === path) ?? POLICY_KINDS[0];
  const id = idOfPolicy(kind.path);
  const title = t(`settings.by.policy.${id}`);
  const fields = (kind.fields as readonly PolicyField[]).filter(({ name }) => name in policy);
  const presets: Presets | undefined = "presets" in kind ? kind.presets : undefined;
  const shown = JSON.stringify(policyStateOf(policy, level));
  const [saved, setSaved] = useState<PolicyState>(() => JSON.parse(shown));
  const [now, setNow] = useState(saved);
  // Turning the switch on saves nothing by itself: it is an offer to change a setting.
  const [isOverriding, setOverriding] = useState(saved.exists);
  const [isCustom, setCustom] = useState(false);
  const changes = changesOf(fields, saved, now);
  const isOverridden = now.own.length > 0 || isOverriding;
  const isUnsaved = changes.length > 0 || (level === "organization" && saved.exists && !isOverridden);
  const hasUnsaved = useRef(isUnsaved);
  hasUnsaved.current = isUnsaved;
  // If all settings are inherited, the policy says so once.
  const tellsWhose = level === "organization" && (saved.exists || now.own.length > 0);
  const above = (inherited ?? policy) as unknown as Record<string, string>;
  const presetText = usePresetText(presets);
  const preset = (presets && !isCustom ? presetOf({ presets }, now.values) : undefined) ?? CUSTOM;
  const { operation: wanted, at, body, returns } = saving(kind, level, saved.exists, now);
  const operation = useOperation({ operation: wanted, at, done: t("settings.saved") });
  const labelOf = (name: string) => {
    const field = fields.find((one) => one.name === name);
    return field && t(`settings.by.field.${field.text ?? field.name}`);
  };
  const validity = useValidity(labelOf);
  const guard = useLeaveGuard(isUnsaved);
  const refresh = useRefresh();
  const undo = useUndo();

  // Shows values that another user has saved, unless input would be lost.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the page has been read again
  useEffect(() => {
    const read = JSON.parse(shown) as PolicyState;
    setSaved(read);
    setNow((now) => (isUnsaved ? now : read));
    if (!isUnsaved) setOverriding(read.exists);
  }, [shown]);

  /**
   * Keeps a state as saved.
   * @param isShown whether the form shows the saved state; later input is not replaced
   */
  const keep = (state: PolicyState, isShown: (is: PolicyState) => boolean) => {
    setSaved(state);
    setNow((is) => (isShown(is) ? state : { ...is, exists: state.exists }));
    setOverriding(state.exists);
    refresh();
  };
  const save = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!isUnsaved) return;
    const wrong = validity(event.currentTarget);
    if (wrong) return operation.refuse(wrong);
    if (!(await operation.start(returns ? {} : body))) return;
    const exists = !returns;
    keep({ ...now, exists }, (is) => is === now);
    const back = saving(kind, level, exists, saved);
    void undo.offer({
      read: () => readPolicy(kind, level),
      revert: () => callOperation(back.operation, { at, body: back.returns ? undefined : back.body } as never),
      done: () => keep({ ...saved, exists: !back.returns }, () => !hasUnsaved.current),
    });
  };
  const discard = () => {
    operation.forget();
    setNow(saved);
    setOverriding(saved.exists);
    setCustom(false);
  };
  const choose = (level: string) => {
    setCustom(level === CUSTOM);
    setNow(
      Object.entries(presets?.levels[level] ?? {}).reduce(
        (state, [name, value]) => withValue(state, saved, name, value),
        now,
      ),
    );
  };
  const inherit = (names: readonly string[]) => {
    const state = names.reduce((state, name) => withInherited(state, name, above[name] ?? ""), now);
    if (state.own.length === 0) setOverriding(false);
    setNow(state);
  };
  const override = (isOn: boolean) => {
    setOverriding(isOn);
    if (!isOn) inherit(now.own);
  };
  return (
    <section className="card" aria-labelledby={id}>
      <div className="head">
        <h2 id={id}>{title}</h2>
        {level === "organization" && (
          <OverrideSwitch
            id={`${id}-override`}
            title={title}
            isOn={isOverridden}
            mayWrite={mayWrite}
            onTurn={override}
          />
        )}
      </div>
      <form id={`${id}-form`} className="form" noValidate onSubmit={save} aria-busy={operation.isBusy}>
        <Problems refusal={operation.refusal} labelOf={labelOf} />
        <ReadyFieldset className="bare" isDisabled={!mayWrite}>
          <RefusedForm value={operation.refusal}>
            {fields.map((field) => (
              <div key={field.name} className="bare">
                {presets?.before === field.name && (
                  <PolicyPresets
                    presets={presets}
                    chosen={preset}
                    onChoose={choose}
                    inherited={tellsWhose ? (presetText(above) ?? t("settings.by.preset.custom")) : undefined}
                    isOwn={settingsOf(presets).some((name) => now.own.includes(name))}
                    onInherit={() => inherit(settingsOf(presets))}
                  />
                )}
                {!isReplaced(presets, preset, field) && (
                  <PolicyFieldView
                    field={field}
                    value={now.values[field.name] ?? ""}
                    isOwn={now.own.includes(field.name)}
                    inherited={tellsWhose ? above[field.name] : undefined}
                    onChange={(value) => setNow(withValue(now, saved, field.name, value))}
                    onInherit={() => inherit([field.name])}
                  />
                )}
              </div>
            ))}
          </RefusedForm>
        </ReadyFieldset>
        {mayWrite && (
          <SaveButtons
            ids={{ submit: `${id}-form-submit`, discard: `${id}-form-discard`, undo: `${id}-undo` }}
            submit={t("settings.save")}
            look={isUnsaved ? "primary" : undefined}
            isUnsaved={isUnsaved}
            isDisabled={operation.isBusy || !isUnsaved}
            onDiscard={discard}
            undo={undo}
            changes={<PolicyChanges {...{ changes, presets, before: saved.values, after: now.values }} />}
            state={undo.isOffered && t("settings.saved")}
          />
        )}
        <LeaveDialog guard={guard} title={t("frame.leaveTitle")} text={t("frame.leaveText")} />
      </form>
    </section>
  );
}

/** Returns the current state of the policy, for comparison. */
async function readPolicy(kind: PolicyDeclaration, level: Level): Promise<string | undefined> {
  const answer = await callOperation(POLICY_OPERATIONS[level].read as Declared<"GetPolicy">, {
    at: { kind: kind.path },
  });
  return answer.ok ? JSON.stringify({ ...answer.body.policy, details: undefined }) : undefined;
}
