// How forms about an app are reviewed: its current state, and how a change is undone.

import { GetAppByID } from "../../../shared/generated/operations";
import type { ActionReview } from "../forms/action-form";
import { type App, appParameters } from "./app";

/**
 * Returns the review of an app's settings.
 * @param of the path of the changed member in the response
 */
export function reviewOf(app: App, of = app.oidcConfig ? "app.oidcConfig" : "app.apiConfig"): ActionReview {
  return { version: app.details.sequence, wayBack: { read: GetAppByID, at: appParameters(app), of } };
}
