// The console in this language: a file for each of its areas, and one for what stands around all of them.
import apps from "./console/apps.json";
import directory from "./console/directory.json";
import frame from "./console/frame.json";
import operations from "./console/operations.json";
import playground from "./console/playground.json";
import refusals from "./console/refusals.json";
import settings from "./console/settings.json";
import texts from "./console/texts.json";

export const consoleTexts = { ...frame, apps, directory, operations, playground, refusals, settings, texts };
