// The choices of the wizard that creates an app.
import { useTranslations } from "next-intl";
import { type Credential, frameworksOf, JWT_APIS } from "./frameworks";
import type { AppKind } from "./snippet";

interface KindFieldProps {
  kinds: readonly AppKind[];
  value: AppKind;
  onChoose(kind: AppKind): void;
}

export function KindField({ kinds, value, onChoose }: KindFieldProps) {
  const t = useTranslations();
  return (
    <fieldset className="choices kinds">
      <legend>{t("apps.whatIsBuilt")}</legend>
      {kinds.map((kind) => (
        <div className="check" key={kind}>
          <input
            type="radio"
            id={`kind-${kind}`}
            name="kind"
            value={kind}
            checked={kind === value}
            aria-describedby={`kind-${kind}-hint`}
            onChange={() => onChoose(kind)}
          />
          <label htmlFor={`kind-${kind}`}>{t(`apps.by.kind.${kind}`)}</label>
          <p className="hint" id={`kind-${kind}-hint`}>
            {t(`apps.by.kindHint.${kind}`)}
          </p>
        </div>
      ))}
    </fieldset>
  );
}

interface FrameworkFieldProps {
  kind: AppKind;
  /** The id of the framework; undefined for another one. */
  value: string | undefined;
  onChoose(id: string | undefined): void;
}

export function FrameworkField({ kind, value, onChoose }: FrameworkFieldProps) {
  const t = useTranslations();
  return (
    <fieldset className="choices stacks">
      <legend>{t("apps.framework")}</legend>
      {[...frameworksOf(kind), undefined].map((framework) => {
        const id = `stack-${framework?.id ?? "other"}`;
        return (
          <div className="check" key={id}>
            <input
              type="radio"
              id={id}
              name="stack"
              value={framework?.id ?? ""}
              checked={value === framework?.id}
              onChange={() => onChoose(framework?.id)}
            />
            <label htmlFor={id}>{framework ? <bdi>{framework.title}</bdi> : t("apps.otherFramework")}</label>
          </div>
        );
      })}
    </fieldset>
  );
}

interface SelectProps {
  value: string;
  onChoose(value: string): void;
}

/** The API that the app calls, if that API verifies JWTs itself. */
export function CallsField({ value, onChoose }: SelectProps) {
  const t = useTranslations();
  return (
    <div className="field">
      <label htmlFor="calls">{t("apps.calls")}</label>
      <p className="hint" id="calls-hint">
        {t("apps.callsHint")}
      </p>
      <select
        id="calls"
        name="calls"
        aria-describedby="calls-hint"
        value={value}
        onChange={({ target }) => onChoose(target.value)}
      >
        <option value="">{t("apps.callsNone")}</option>
        {JWT_APIS.map(({ id, title }) => (
          <option key={id} value={id}>
            {title}
          </option>
        ))}
      </select>
    </div>
  );
}

interface CredentialFieldProps {
  value: Credential;
  /** The credential that the framework is made for; the other one is not offered. */
  framework: Credential | undefined;
  onChoose(credential: Credential): void;
}

export function CredentialField({ value, framework, onChoose }: CredentialFieldProps) {
  const t = useTranslations();
  return (
    <fieldset className="choices">
      <legend>{t("apps.authMethod")}</legend>
      {(["secret", "key"] as const)
        .filter((one) => framework === undefined || one === framework)
        .map((one) => (
          <div className="check" key={one}>
            <input
              type="radio"
              id={`credential-${one}`}
              name="credential"
              value={one}
              checked={one === value}
              onChange={() => onChoose(one)}
            />
            <label htmlFor={`credential-${one}`}>{t(`apps.by.credential.${one}`)}</label>
          </div>
        ))}
    </fieldset>
  );
}

interface ProjectFieldProps extends SelectProps {
  projects: readonly { id: string; name: string }[];
  mayCreate: boolean;
}

/** Renders nothing if there is no project yet: a project is created with the app. */
export function ProjectField({ projects, mayCreate, value, onChoose }: ProjectFieldProps) {
  const t = useTranslations();
  if (projects.length === 0) return null;
  return (
    <div className="field">
      <label htmlFor="project">{t("apps.project")}</label>
      <p className="hint" id="project-hint">
        {t("apps.projectHint")}
      </p>
      <select
        id="project"
        name="projectId"
        aria-describedby="project-hint"
        value={value}
        onChange={({ target }) => onChoose(target.value)}
      >
        {projects.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
        {mayCreate && <option value="">{t("apps.newProject")}</option>}
      </select>
    </div>
  );
}
