/** Every operation of the management APIs except those on message texts, which are available by gRPC too (../texts). */

import { appConfigOperations } from "./app-config";
import { appKeyOperations } from "./app-keys";
import { appRegistrationOperations } from "./app-registration";
import { appSecretOperations } from "./app-secrets";
import { appOperations } from "./apps";
import { authorizeCheckOperations } from "./authorize-check";
import { domainOperations } from "./domains";
import { emailProviderOperations } from "./email-providers";
import { eventOperations } from "./events";
import { featureOperations } from "./features";
import { instanceOperations } from "./instance";
import { keyOperations } from "./keys";
import { labelOperations } from "./label";
import { labelPreviewOperations } from "./label-preview";
import { languageOperations } from "./languages";
import { machineOperations } from "./machines";
import { mailOperations } from "./mail";
import { memberOperations } from "./members";
import type { Operation } from "./operation";
import { organizationSetupOperations } from "./organization-setup";
import { organizationOperations } from "./organizations";
import { pictureOperations } from "./pictures";
import { policyOperations } from "./policies";
import { projectRoleOperations } from "./project-roles";
import { projectOperations } from "./projects";
import { restrictionOperations } from "./restrictions";
import { sessionOperations } from "./sessions";
import { settingsOperations } from "./settings";
import { statisticsOperations } from "./statistics";
import { userContactOperations } from "./user-contact";
import { userCredentialOperations } from "./user-credentials";
import { userDataOperations } from "./user-data";
import { grantOperations } from "./user-grants";
import { userHumanOperations } from "./user-human";
import { userImportOperations } from "./user-import";
import { userOperations } from "./users";

export const operations: readonly Operation[] = [
  ...languageOperations,
  ...organizationOperations,
  ...organizationSetupOperations,
  ...domainOperations,
  ...userOperations,
  ...userHumanOperations,
  ...userImportOperations,
  ...userContactOperations,
  ...userCredentialOperations,
  ...userDataOperations,
  ...machineOperations,
  ...memberOperations,
  ...restrictionOperations,
  ...policyOperations,
  ...labelOperations,
  ...labelPreviewOperations,
  ...pictureOperations,
  ...projectOperations,
  ...projectRoleOperations,
  ...appRegistrationOperations,
  ...appConfigOperations,
  ...appSecretOperations,
  ...appKeyOperations,
  ...appOperations,
  ...authorizeCheckOperations,
  ...grantOperations,
  ...keyOperations,
  ...sessionOperations,
  ...eventOperations,
  ...statisticsOperations,
  ...settingsOperations,
  ...instanceOperations,
  ...featureOperations,
  ...mailOperations,
  ...emailProviderOperations,
];
