// How forms about an app are reviewed: what it is now, and how a change of it is taken back.
import type { ActionReview } from "../action-form";
import { GetAppByID } from "../generated/operations";
import { type App, appParameters } from "./app";

/** Of its settings; @param of where else in the answer the form changes it */
export function reviewOf(app: App, of = app.oidcConfig ? "app.oidcConfig" : "app.apiConfig"): ActionReview {
  return { version: app.details.sequence, wayBack: { read: GetAppByID, at: appParameters(app), of } };
}
