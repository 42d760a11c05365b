"use client";
// "What are you building?": the answer to this one question chooses all settings that matter for security. A secret, if
// there is one, is shown once; then follows the app's page with the code to run.
import { useTranslations } from "next-intl";
import { type FormEvent, useEffect, useMemo, useRef, useState } from "react";
import { TextField } from "../fields";
import { controlsOf, formBody } from "../form-body";
import { Problems, RefusedForm } from "../problems";
import type { Refusal } from "../refusal";
import { SecretOnce } from "../secret-once";
import { AddressList } from "./address-list";
import { type CreatedApp, createApp, type NewApp } from "./create-app";
import { EXAMPLE_REDIRECT, KINDS, SAFE_SETTINGS, signsIn } from "./kinds";
import type { AppKind } from "./snippets/snippet";

export interface AppWizardProps {
  /** Address of the organization's pages. */
  base: string;
  organizationId: string;
  projects: readonly { id: string; name: string }[];
  mayCreateProject: boolean;
  mayCreateMachine: boolean;
}

export function AppWizard({ base, organizationId, projects, mayCreateProject, mayCreateMachine }: AppWizardProps) {
  const t = useTranslations();
  const mayCreateApp = projects.length > 0 || mayCreateProject;
  const kinds = KINDS.filter((kind) => (kind === "machine" ? mayCreateMachine : mayCreateApp));
  const [first = "web"] = kinds;
  const [kind, setKind] = useState<AppKind>(first);
  const [isBusy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<Refusal>();
  const [created, setCreated] = useState<CreatedApp>();
  const person = kind === "web" || kind === "browser" || kind === "native" ? kind : undefined;
  const rule = useMemo(() => {
    if (!person) return undefined;
    const { appType, authMethodType, responseTypes } = SAFE_SETTINGS[person];
    return { appType, authMethodType, responseTypes };
  }, [person]);
  const form = useRef<HTMLFormElement>(null);
  // Takes over what was chosen before the scripts of the page ran.
  useEffect(() => {
    const chosen = form.current?.querySelector<HTMLInputElement>("[name=kind]:checked")?.value;
    setKind((known) => KINDS.find((one) => one === chosen) ?? known);
  }, []);
  const send = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    const typed = formBody(controlsOf(event.currentTarget)) as unknown as Omit<NewApp, "kind">;
    const answer = await createApp({ ...typed, kind }, { organizationId, base });
    setBusy(false);
    if (!answer.ok) return setRefusal(answer.refusal);
    setRefusal(undefined);
    if (answer.body.secret === undefined) location.assign(answer.body.address);
    else setCreated(answer.body);
  };
  return (
    <form id="new-app" className="form" ref={form} onSubmit={send} aria-busy={isBusy}>
      <Problems refusal={refusal} />
      <fieldset className="choices kinds">
        <legend>{t("apps.whatIsBuilt")}</legend>
        {kinds.map((one) => (
          <div className="check" key={one}>
            <input
              type="radio"
              id={`kind-${one}`}
              name="kind"
              value={one}
              defaultChecked={one === first}
              aria-describedby={`kind-${one}-hint`}
              onChange={() => setKind(one)}
            />
            <label htmlFor={`kind-${one}`}>{t(`apps.by.kind.${one}`)}</label>
            <p className="hint" id={`kind-${one}-hint`}>
              {t(`apps.by.kindHint.${one}`)}
            </p>
          </div>
        ))}
      </fieldset>
      <RefusedForm value={refusal}>
        <TextField name="name" label={t("apps.name")} hint={t("apps.nameHint")} required maxLength={200} />
        {kind !== "machine" && <ProjectField projects={projects} mayCreate={mayCreateProject} />}
        {person && (
          <>
            <AddressList
              name="redirectUris"
              legend={t("apps.redirectUris")}
              hint={t("apps.redirectUrisHint")}
              addresses={[EXAMPLE_REDIRECT[person]]}
              settings={rule}
            />
            <AddressList
              name="postLogoutRedirectUris"
              legend={t("apps.postLogoutRedirectUris")}
              hint={t("apps.postLogoutRedirectUrisHint")}
              addresses={[]}
            />
          </>
        )}
      </RefusedForm>
      <section className="card" aria-labelledby="safe-defaults">
        <h2 id="safe-defaults">{t("apps.safeDefaults")}</h2>
        <p>{t(`apps.by.defaults.${kind}`)}</p>
      </section>
      <div className="buttons">
        <button type="submit" id="create-app" className="primary" aria-disabled={isBusy}>
          {signsIn(kind) || kind === "api" ? t("apps.create") : t("apps.createMachine")}
        </button>
      </div>
      {created?.secret !== undefined && (
        <SecretOnce
          title={t("apps.secretTitle")}
          text={t("apps.secretText")}
          fileName=".env"
          secrets={[
            { name: "clientId", label: t("apps.clientId"), variable: "CLIENT_ID", text: created.clientId },
            { name: "clientSecret", label: t("apps.clientSecret"), variable: "CLIENT_SECRET", text: created.secret },
          ]}
          onStored={() => location.assign(created.address)}
        />
      )}
    </form>
  );
}

function ProjectField({ projects, mayCreate }: { projects: AppWizardProps["projects"]; mayCreate: boolean }) {
  const t = useTranslations();
  const [projectId, setProjectId] = useState(projects[0]?.id ?? "");
  return (
    <>
      <div className="field">
        <label htmlFor="project">{t("apps.project")}</label>
        <p className="hint" id="project-hint">
          {t("apps.projectHint")}
        </p>
        <select
          id="project"
          name="projectId"
          aria-describedby="project-hint"
          value={projectId}
          onChange={(event) => setProjectId(event.target.value)}
        >
          {projects.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
          {mayCreate && <option value="">{t("apps.newProject")}</option>}
        </select>
      </div>
      {projectId === "" && <TextField name="projectName" label={t("apps.projectName")} required maxLength={200} />}
    </>
  );
}
