/** Every operation of the management APIs but those on message texts, which are also remote procedures (../texts). */

import { domainOperations } from "./domains";
import { labelOperations } from "./label";
import { languageOperations } from "./languages";
import type { Operation } from "./operation";
import { organizationOperations } from "./organizations";
import { pictureOperations } from "./pictures";
import { policyOperations } from "./policies";
import { projectRoleOperations } from "./project-roles";
import { projectOperations } from "./projects";
import { restrictionOperations } from "./restrictions";

export const operations: readonly Operation[] = [
  ...languageOperations,
  ...organizationOperations,
  ...domainOperations,
  ...restrictionOperations,
  ...policyOperations,
  ...labelOperations,
  ...pictureOperations,
  ...projectOperations,
  ...projectRoleOperations,
];
