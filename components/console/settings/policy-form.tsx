// One policy: its settings, whether they are inherited, and the form to change them.
import { useTranslations } from "next-intl";
import { ActionForm } from "../action-form";
import { ConfirmButton } from "../confirm-button";
import { SwitchField, TextField } from "../fields";
import { hoursOf, type Policy, type PolicyField, type PolicyKind, type PolicyLevel } from "./policy";

export interface PolicyFormProps {
  kind: PolicyKind;
  policy: Policy;
  level: PolicyLevel;
  mayWrite: boolean;
}

export function PolicyForm({ kind, policy, level, mayWrite }: PolicyFormProps) {
  const t = useTranslations();
  const id = kind.path.replace("/", "-");
  const title = t(`settings.by.policy.${id}`);
  const fields: readonly PolicyField[] = kind.fields;
  const { change, add } = kind[level];
  const isOwn = level === "instance" || !policy.isDefault;
  return (
    <section className="card" aria-labelledby={id}>
      <div className="head">
        <h2 id={id}>{title}</h2>
        {level === "organization" && (
          <span className={isOwn ? "state good" : "state"}>{t(isOwn ? "settings.own" : "settings.inherited")}</span>
        )}
      </div>
      <ActionForm
        id={`${id}-form`}
        operation={isOwn ? change : add}
        submit={t(isOwn ? "settings.save" : "settings.setOwn")}
        done={t("settings.saved")}
        isReadOnly={!mayWrite}
        beside={
          level === "organization" &&
          isOwn && (
            <ConfirmButton
              id={`${id}-reset`}
              look="primary"
              triggerLook="plain"
              label={t("settings.inherit")}
              title={t("settings.inheritTitle", { name: title })}
              text={<p>{t("settings.inheritText")}</p>}
              operation={kind.organization.reset}
              done={t("settings.saved")}
            />
          )
        }
      >
        {fields
          .filter(({ name }) => name in policy)
          .map((field) => (
            <Field key={field.name} field={field} value={policy[field.name]} />
          ))}
      </ActionForm>
    </section>
  );
}

function Field({ field: { name, kind, min, max }, value }: { field: PolicyField; value: unknown }) {
  const t = useTranslations();
  const label = t(`settings.by.field.${name}`);
  const hint = t.has(`settings.by.hint.${name}`) ? t(`settings.by.hint.${name}`) : undefined;
  if (kind === "switch") return <SwitchField name={name} label={label} hint={hint} isOn={value === true} />;
  if (kind === "link" || kind === "email") {
    const input = kind === "link" ? "url" : "email";
    return <TextField name={name} label={label} hint={hint} inputMode={input} value={String(value)} keepsEmpty />;
  }
  return (
    <TextField
      name={name}
      label={label}
      hint={hint}
      type="number"
      as={kind === "hours" ? "hours" : undefined}
      value={kind === "hours" ? hoursOf(value) : String(value)}
      min={min}
      max={max}
      step={kind === "hours" ? "any" : undefined}
      required
    />
  );
}
