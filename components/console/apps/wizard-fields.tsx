// The choices of the wizard that creates an app.
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { SelectInput } from "../forms/inputs";
import { withHint } from "../forms/with-hint";
import { type Credential, frameworksOf, JWT_APIS } from "./frameworks";
import type { AppKind } from "./snippet";

interface RadiosProps<Value extends string> {
  name: string;
  label: string;
  className?: string;
  options: readonly { value: Value; label: ReactNode; hint?: string }[];
  value: Value;
  onChoose(value: Value): void;
}

function Radios<Value extends string>({ name, label, className, options, value, onChoose }: RadiosProps<Value>) {
  return (
    <fieldset className={["choices", className].filter(Boolean).join(" ")}>
      <legend>{label}</legend>
      {options.map((option) => {
        const id = `${name}-${option.value}`;
        return (
          <div className="check" key={id}>
            <input
              type="radio"
              id={id}
              name={name}
              value={option.value}
              checked={option.value === value}
              aria-describedby={option.hint && `${id}-hint`}
              onChange={() => onChoose(option.value)}
            />
            <label htmlFor={id}>{option.label}</label>
            {option.hint && (
              <p className="hint" id={`${id}-hint`}>
                {option.hint}
              </p>
            )}
          </div>
        );
      })}
    </fieldset>
  );
}

type ChosenProps<Value extends string> = Pick<RadiosProps<Value>, "value" | "onChoose">;

export function KindField({ kinds, ...chosen }: ChosenProps<AppKind> & { kinds: readonly AppKind[] }) {
  const t = useTranslations();
  const options = kinds.map((value) => ({
    value,
    label: t(`apps.by.kind.${value}`),
    hint: t(`apps.by.kindHint.${value}`),
  }));
  return <Radios name="kind" label={t("apps.whatIsBuilt")} className="kinds" options={options} {...chosen} />;
}

interface FrameworkFieldProps {
  kind: AppKind;
  /** The id of the framework; undefined for another one. */
  value: string | undefined;
  onChoose(id: string | undefined): void;
}

const OTHER = "other";

export function FrameworkField({ kind, value = OTHER, onChoose }: FrameworkFieldProps) {
  const t = useTranslations();
  const known = frameworksOf(kind).map(({ id, title }) => ({ value: id, label: <bdi>{title}</bdi> }));
  return (
    <Radios
      name="stack"
      label={t("apps.framework")}
      className="stacks"
      options={[...known, { value: OTHER, label: t("apps.otherFramework") }]}
      value={value}
      onChoose={(id) => onChoose(id === OTHER ? undefined : id)}
    />
  );
}

/** The API that the app calls, if that API verifies JWTs itself. */
export function CallsField({ value, onChoose }: ChosenProps<string>) {
  const t = useTranslations();
  const options = [
    { value: "", label: t("apps.callsNone") },
    ...JWT_APIS.map(({ id, title }) => ({ value: id, label: title })),
  ];
  return (
    <SelectInput name="calls" {...withHint(t, "apps.calls")} options={options} value={value} onChange={onChoose} />
  );
}

interface CredentialFieldProps extends ChosenProps<Credential> {
  /** The credential that the framework is made for; the other one is not offered. */
  framework: Credential | undefined;
}

export function CredentialField({ framework, ...chosen }: CredentialFieldProps) {
  const t = useTranslations();
  const offered = (["secret", "key"] as const).filter((one) => framework === undefined || one === framework);
  const options = offered.map((value) => ({ value, label: t(`apps.by.credential.${value}`) }));
  return <Radios name="credential" label={t("apps.authMethod")} options={options} {...chosen} />;
}

interface ProjectFieldProps extends ChosenProps<string> {
  projects: readonly { id: string; name: string }[];
  mayCreate: boolean;
}

/** Renders nothing if there is no project yet: a project is created with the app. */
export function ProjectField({ projects, mayCreate, value, onChoose }: ProjectFieldProps) {
  const t = useTranslations();
  if (projects.length === 0) return null;
  const options = [
    ...projects.map(({ id, name }) => ({ value: id, label: name })),
    ...(mayCreate ? [{ value: "", label: t("apps.newProject") }] : []),
  ];
  const label = withHint(t, "apps.project");
  return <SelectInput name="projectId" {...label} options={options} value={value} onChange={onChoose} />;
}
