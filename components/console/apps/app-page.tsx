// The page of one app: its name and state, and the views of what belongs to it.
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { UpdateApp } from "../../../shared/generated/operations";
import { Name } from "../../ui/user-text";
import { TextField } from "../forms/fields";
import { FormDialog } from "../forms/form-dialog";
import { Views } from "../parts/views";
import { type App, appParameters } from "./app";
import { reviewOf } from "./app-form";
import { AppState } from "./app-list";
import { type AppView, VIEW_ANCHORS } from "./app-view";
import { AppWarnings } from "./app-warnings";

export interface AppPageProps {
  /** Address of the organization's pages. */
  base: string;
  /** Address of this page. */
  address: string;
  app: App;
  views: readonly AppView[];
  view: AppView;
  /** Whether the visitor may change the app. */
  mayWrite: boolean;
  /** Whether only users who manage the whole service may change it, because it has a privilege of the instance. */
  isReserved: boolean;
  /** Whether the app belongs to an organization other than the viewer's. */
  isForeign: boolean;
  /** The framework that the app was created for, which is kept in the address; undefined if it is unknown. */
  stack: string | undefined;
  /** The address that was rejected, if an error page linked here. */
  refused: ReactNode;
  /** The content of the view. */
  children: ReactNode;
}

export function AppPage(props: AppPageProps) {
  const { base, address, app, views, view, mayWrite, isReserved, isForeign, stack, refused, children } = props;
  const t = useTranslations();
  return (
    <>
      <p className="crumb">
        <a href={`${base}/apps`}>{t("pages.apps")}</a>
      </p>
      <div className="head">
        <h1>
          <Name>{app.name}</Name>
        </h1>
        <AppState app={app} isForeign={isForeign} />
        {mayWrite && (
          <FormDialog
            id="rename-app"
            label={t("apps.rename")}
            triggerLook="plain"
            submit={t("apps.save")}
            operation={UpdateApp}
            at={appParameters(app)}
            done={t("apps.saved")}
            review={reviewOf(app, "app")}
          >
            <TextField name="name" label={t("apps.name")} value={app.name} required maxLength={200} />
          </FormDialog>
        )}
      </div>
      {refused}
      <AppWarnings problems={app.oidcConfig?.complianceProblems ?? []} />
      {isReserved && <p className="hint">{t("apps.vouchedFor")}</p>}
      <Views
        view={view}
        views={views.map((name) => ({
          name,
          label: t(`apps.by.view.${name}`),
          href: `${address}?${new URLSearchParams({ view: name, ...(stack !== undefined && { stack }) })}`,
          anchors: VIEW_ANCHORS[name],
        }))}
      />
      {children}
    </>
  );
}
