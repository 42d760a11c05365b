/** All scenarios by area. Each starts with its own service (see `scenarioBootstrap`). */
import { exampleBootstrap, PASSWORD } from "../example";
import type { TestService } from "../test-context";
import { appSteps } from "./apps";
import { eventSteps } from "./events";
import { featureSteps } from "./features";
import { grantSteps, projectGrantSteps } from "./grants";
import { identityProviderSteps } from "./identity-providers";
import { instanceSteps } from "./instance";
import { keySteps } from "./keys";
import { languageSteps } from "./languages";
import { machineSteps } from "./machines";
import { mailSteps } from "./mail";
import { memberSteps } from "./members";
import { organizationSteps } from "./organizations";
import { ownAccountSteps } from "./own-account";
import { labelSteps, policySteps } from "./policies";
import { projectSteps } from "./projects";
import { sessionSteps } from "./sessions";
import { smsSteps } from "./sms";
import { statisticsSteps } from "./statistics";
import type { Step } from "./step";
import { textSteps } from "./texts";
import { userCodeSteps } from "./user-codes";
import { prepareFactors, userSteps } from "./users";

export const scenarios: Readonly<Record<string, readonly Step[]>> = {
  languages: languageSteps,
  "message texts": textSteps,
  organizations: organizationSteps,
  users: userSteps,
  "codes of users": userCodeSteps,
  machines: machineSteps,
  "the own account": ownAccountSteps,
  members: memberSteps,
  projects: projectSteps,
  apps: appSteps,
  "project grants": projectGrantSteps,
  "user grants": grantSteps,
  "signing keys": keySteps,
  sessions: sessionSteps,
  events: eventSteps,
  statistics: statisticsSteps,
  "export and apply": instanceSteps,
  features: featureSteps,
  mail: mailSteps,
  "text messages": smsSteps,
  "identity providers": identityProviderSteps,
  policies: policySteps,
  "the look of pages": labelSteps,
};

/** Preparations of scenarios that no operation can do. */
export const preparations: Readonly<Record<string, (service: TestService) => Promise<void>>> = {
  users: prepareFactors,
};

function person(id: string, roles: string[] = []) {
  return {
    id: `u-${id}`,
    userName: id,
    password: PASSWORD,
    roles,
    profile: { firstName: id, lastName: "Example" },
    email: { email: `${id}@acme.test`, isEmailVerified: true },
  };
}

const [acme] = exampleBootstrap.organizations;

/** The example with a user who only owns the organization, a user without a role, and a foreign organization. */
export const scenarioBootstrap = {
  organizations: [
    { ...acme, users: [...(acme?.users ?? []), person("colleague", ["ORG_OWNER"]), person("nobody")] },
    { id: "foreign", name: "Foreign", domains: [{ domain: "foreign.test", verified: true, primary: true }] },
  ],
};
