/** All translations, by the procedure. */
import { applicationTranslations } from "./applications";
import { instanceTranslations } from "./instances";
import { organizationTranslations } from "./organizations";
import { permissionTranslations } from "./permissions";
import { projectTranslations } from "./projects";
import type { MessageTranslation } from "./translation";

const TRANSLATIONS: Readonly<Record<string, MessageTranslation>> = {
  ...projectTranslations,
  ...applicationTranslations,
  ...permissionTranslations,
  ...organizationTranslations,
  ...instanceTranslations,
};

export const translationOf = (procedure: string): MessageTranslation | undefined => TRANSLATIONS[procedure];
