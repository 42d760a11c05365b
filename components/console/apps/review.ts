// How forms about an app are reviewed: its current state, and how a change is undone.
import type { ActionReview } from "../action-form";
import { GetAppByID } from "../generated/operations";
import { type App, appParameters } from "./app";

/**
 * Returns the review of an app's settings.
 * @param of the path of the changed member in the response
 */
export function reviewOf(app: App, of = app.oidcConfig ? "app.oidcConfig" : "app.apiConfig"): ActionReview {
  return { version: app.details.sequence, wayBack: { read: GetAppByID, at: appParameters(app), of } };
}
