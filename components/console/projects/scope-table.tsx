// The scopes that a project defines for its APIs, with the descriptions that users read before they give consent.
import { useLocale, useTranslations } from "next-intl";
import type { ProjectScope } from "../../../server/protocol/project-scope";
import {
  AddProjectScope,
  GetProjectByID,
  RemoveProjectScope,
  UpdateProjectScope,
} from "../../../shared/generated/operations";
import { Name } from "../../ui/user-text";
import { ConfirmButton } from "../dialogs/confirm-button";
import { TextField } from "../forms/fields";
import { FormDialog } from "../forms/form-dialog";
import { TextsByLanguage } from "../forms/language-fields";
import { withHint } from "../forms/with-hint";
import { Table } from "../lists/table";

export interface ScopeTableProps {
  projectId: string;
  scopes: readonly ProjectScope[];
  mayWrite: boolean;
}

export function ScopeTable({ projectId, scopes, mayWrite }: ScopeTableProps) {
  const t = useTranslations();
  const locale = useLocale();
  return (
    <section className="card" aria-labelledby="scopes">
      <h2 id="scopes">{t("apps.scopes")}</h2>
      <p>{t("apps.scopesHint")}</p>
      <Table
        caption={t("apps.scopes")}
        rows={scopes}
        keyOf={({ name }) => name}
        empty={<p>{t("apps.noScopes")}</p>}
        columns={[
          { id: "name", label: t("apps.scopeName"), cell: ({ name }) => <code>{name}</code> },
          {
            id: "descriptions",
            label: t("apps.descriptions"),
            cell: ({ descriptions }) => {
              const text = descriptions[locale] ?? descriptions.en ?? Object.values(descriptions)[0];
              return text !== undefined && <Name>{text}</Name>;
            },
          },
        ]}
        actions={(scope) =>
          mayWrite && <ScopeButtons projectId={projectId} scope={scope} index={scopes.indexOf(scope)} />
        }
      />
      {mayWrite && (
        <FormDialog
          id="add-scope"
          label={t("apps.addScope")}
          operation={AddProjectScope}
          at={{ projectId }}
          done={t("apps.saved")}
        >
          <TextField name="name" {...withHint(t, "apps.scopeName")} required maxLength={100} dir="ltr" />
          <DescriptionFields descriptions={{}} />
        </FormDialog>
      )}
    </section>
  );
}

/**
 * The buttons of a scope.
 * @param props.index the index among the scopes of the project
 */
function ScopeButtons({ projectId, scope, index }: { projectId: string; scope: ProjectScope; index: number }) {
  const t = useTranslations();
  const { name, descriptions } = scope;
  const at = { projectId, scopeKey: name };
  return (
    <div className="buttons">
      <FormDialog
        id={`describe-scope-${name}`}
        label={t("apps.descriptions")}
        triggerLook="plain"
        title={t("apps.descriptionsOf", { scope: name })}
        submit={t("apps.save")}
        operation={UpdateProjectScope}
        at={at}
        done={t("apps.saved")}
        review={{
          wayBack: {
            read: GetProjectByID,
            at,
            of: `project.scopes.${index}`,
            also: ["name"], // another scope may have this index by then
            body: { descriptions },
          },
        }}
      >
        <DescriptionFields descriptions={descriptions} />
      </FormDialog>
      <ConfirmButton
        id={`remove-scope-${name}`}
        operation={RemoveProjectScope}
        at={at}
        label={t("apps.remove")}
        triggerLook="plain"
        title={t("apps.removeScopeTitle", { scope: name })}
        text={<p>{t("apps.removeScopeText")}</p>}
        done={t("apps.removed")}
      />
    </div>
  );
}

/** One field for each language; those of this page and those in use are visible at once. */
function DescriptionFields({ descriptions }: Pick<ProjectScope, "descriptions">) {
  const t = useTranslations();
  const locale = useLocale();
  return (
    <fieldset className="choices">
      <legend>{t("apps.descriptions")}</legend>
      <p className="hint">{t("apps.descriptionsHint")}</p>
      <TextsByLanguage
        name="descriptions"
        texts={descriptions}
        seen={[locale, "en"]}
        others={t("apps.otherLanguages")}
      />
    </fieldset>
  );
}
