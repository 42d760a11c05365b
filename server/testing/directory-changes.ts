/** Changes of everything that processes cache, for tests of what other processes see afterwards. */
import { removeApp, renameApp, setAppState } from "../directory/app/configure";
import { makeAppSecret, removeSecretOfApp } from "../directory/app/secret";
import { changeDirectory } from "../directory/change";
import { setFeatures } from "../directory/instance-settings";
import { addMembership } from "../directory/member/membership";
import { giveUpDomain } from "../directory/organization/domains";
import { updateOrganization } from "../directory/organization/edit";
import { createOrganization, removeOrganization, setOrganizationState } from "../directory/organization/organization";
import { setPasswordHook } from "../directory/password-hook/password-hook";
import { addOwnPolicy, resetOwnPolicy, setInstancePolicy } from "../directory/policy/set";
import { createProject, removeProject, setProjectState, updateProject } from "../directory/project/edit";
import { removeMailSettings, setMailSettings } from "../directory/provider/mail-settings";
import { createMachine, createPerson } from "../directory/user/create";
import { makeMachineSecret, removeMachineSecret } from "../directory/user/edit-machine";
import { changePassword } from "../directory/user/password";
import { renameUser } from "../directory/user/rename";
import { removeUser, setUserState } from "../directory/user/set-state";
import type { OriginContext } from "../events/record";
import { decideAboutClient } from "../oidc/client-decisions";
import { isApiError } from "../protocol/api-error";
import { resetLoginText, setLoginText } from "../texts/editing/set-login-text";
import { providerChanges } from "./provider-changes";

export const ROOT = { actor: "u-root" };
const BOSS = { actor: "u-boss" };
const SECRET = "0123456789abcdef0123456789abcdef0123";
export const ORGANIZATIONS = ["acme", "globex"] as const;
export type Of = (typeof ORGANIZATIONS)[number];
export const machineSecret = (of: Of) => `${SECRET}${of}`;

const client = (of: Of) => ({ clientId: `web-${of}`, clientSecret: SECRET, redirectUris: [`https://${of}.test/cb`] });
const organization = (of: Of) => ({
  id: of,
  name: of,
  domains: [
    { domain: `${of}.test`, verified: true, primary: true },
    { domain: `more.${of}.test`, verified: true },
  ],
  loginTexts: [{ language: "en", signIn: { title: `Hello ${of}` } }],
  machines: [{ id: `m-${of}`, userName: `ci-${of}`, secret: machineSecret(of) }],
  projects: [
    {
      id: `p-${of}`,
      name: `P ${of}`,
      resources: [`https://api.${of}.test`],
      apps: [{ id: `a-${of}`, name: `A ${of}`, oidc: client(of) }],
    },
  ],
});

/** Two organizations with one object of every cached kind. */
export const FILE = {
  organizations: [
    {
      ...organization("acme"),
      default: true,
      users: [
        { id: "u-root", userName: "root", roles: ["IAM_OWNER"] },
        { id: "u-ann", userName: "ann" },
      ],
    },
    {
      ...organization("globex"),
      users: [
        { id: "u-boss", userName: "boss", roles: ["ORG_OWNER"] },
        { id: "u-bob", userName: "bob" },
      ],
    },
  ],
};

/**
 * A change by `ROOT`. `effect`: the events, and what another process reloads: a whole cache, or the entry of one
 * organization.
 */
export type DirectoryChange = [what: string, change: (ctx: OriginContext) => Promise<unknown>, effect: string];

const app = (of: Of) => ({ organizationId: of, projectId: `p-${of}`, appId: `a-${of}` });
const project = (of: Of) => ({ organizationId: of, projectId: `p-${of}` });
const words = (of: Of) => ({ organizationId: of, language: "en" });
/** Returns a change that makes a user an owner of acme. */
const own = (userId: string) => (ctx: OriginContext) => {
  const role = { userId, role: "ORG_OWNER", instanceId: "", organizationId: "acme" } as const;
  return changeDirectory(ctx, (ctx) => addMembership(ctx, role));
};
let secretId = "";

/** The steps in their order. */
export const STEPS: readonly DirectoryChange[] = [
  [
    "a new person",
    (ctx) => createPerson(ctx, { id: "u-new", organizationId: "acme", userName: "new" }),
    "user.added → ",
  ],
  [
    "another user name",
    (ctx) => renameUser(ctx, { organizationId: "acme", userId: "u-new" }, "newer"),
    "user.changed → ",
  ],
  ["a password", (ctx) => changePassword(ctx, { userId: "u-ann", newHash: "x" }), "user.password.changed → "],
  ["an app's name", (ctx) => renameApp(ctx, app("acme"), "Other"), "app.changed → clients/acme machines origins"],
  [
    "an app's secret",
    async (ctx) => {
      const made = await makeAppSecret(ctx, app("acme"), { kind: "oidc", keepOthers: true });
      if (!isApiError(made)) ({ secretId } = made);
    },
    "app.secret.set → clients/acme",
  ],
  [
    "an app's secret that goes",
    (ctx) => removeSecretOfApp(ctx, app("acme"), secretId),
    "app.secret.removed → clients/acme",
  ],
  ["an app that stops", (ctx) => setAppState(ctx, app("acme"), "inactive"), "app.deactivated → clients/acme origins"],
  ["an app that starts", (ctx) => setAppState(ctx, app("acme"), "active"), "app.reactivated → clients/acme origins"],
  [
    "a project's checks",
    (ctx) => updateProject(ctx, project("acme"), { name: "Q", projectRoleCheck: true }),
    "project.changed → clients/acme resources/acme targetProjects/acme",
  ],
  [
    "a project that is stopped",
    (ctx) => setProjectState(ctx, project("acme"), "inactive"),
    "project.deactivated → clients/acme resources/acme targetProjects/acme",
  ],
  [
    "a project that works again",
    (ctx) => setProjectState(ctx, project("acme"), "active"),
    "project.reactivated → clients/acme resources/acme targetProjects/acme",
  ],
  [
    "an organization's name and language",
    (ctx) => updateOrganization(ctx, "acme", { name: "Acme Inc", defaultLanguage: "de" }),
    "organization.changed → clients/acme defaultLanguages/acme",
  ],
  [
    "a decision about an app",
    (ctx) => decideAboutClient(ctx, "acme", { kind: "host", value: "*", decision: "forbid" }),
    "organization.client_decision.set → clientDecisions/acme",
  ],
  [
    "a password hook",
    (ctx) => setPasswordHook(ctx, "acme", { endpoint: "https://old.test/hook" }),
    "organization.password_hook.set → passwordHooks/acme",
  ],
  [
    "a policy",
    (ctx) => addOwnPolicy(ctx, { kind: "login", organizationId: "acme", settings: { allowRegister: true } }),
    "policy.set → policies/acme",
  ],
  [
    "a policy that goes",
    (ctx) => resetOwnPolicy(ctx, { kind: "login", organizationId: "acme" }),
    "policy.removed → policies/acme",
  ],
  [
    "the instance's policy",
    (ctx) => setInstancePolicy(ctx, { kind: "login", settings: { allowRegister: true } }),
    "policy.set → policies",
  ],
  [
    "the instance's policy about something else",
    (ctx) => setInstancePolicy(ctx, { kind: "restrictions", settings: { allowedLanguages: ["en", "de"] } }),
    "policy.set → discovery",
  ],
  [
    "a mail server",
    (ctx) => setMailSettings(ctx, "acme", { smtpUrl: "smtp://mail.acme.test", sender: "a@acme.test" }),
    "organization.email_provider.added organization.email_provider.activated → emailProviders/acme",
  ],
  [
    "another mail server",
    (ctx) => setMailSettings(ctx, "acme", { smtpUrl: "smtp://mx.acme.test", sender: "a@acme.test" }),
    "organization.email_provider.changed → emailProviders/acme",
  ],
  [
    "a mail server that goes",
    (ctx) => removeMailSettings(ctx, "acme"),
    "organization.email_provider.removed → emailProviders/acme",
  ],
  ...providerChanges,
  [
    "a machine's secret",
    (ctx) => makeMachineSecret(ctx, { organizationId: "acme", userId: "m-acme" }),
    "user.machine.secret.set → machines",
  ],
  [
    "a machine's secret that goes",
    (ctx) => removeMachineSecret(ctx, { organizationId: "acme", userId: "m-acme" }),
    "user.machine.secret.removed → machines",
  ],
  [
    "a machine's name",
    (ctx) => renameUser(ctx, { organizationId: "globex", userId: "m-globex" }, "other"),
    "user.machine.changed → machines",
  ],
  [
    "a machine that takes the name",
    (ctx) => createMachine(ctx, { organizationId: "globex", userName: "ci-globex", secret: machineSecret("globex") }),
    "user.machine.added user.machine.secret.set → machines",
  ],
  [
    "words",
    (ctx) => setLoginText(ctx, { ...words("acme"), words: { signIn: { title: "Welcome" } } }),
    "login_text.set → pageWords/acme",
  ],
  ["words that go", (ctx) => resetLoginText(ctx, words("acme")), "login_text.removed → pageWords/acme"],
  [
    "words for which an owner answers",
    (ctx) => setLoginText({ ...ctx, origin: BOSS }, { ...words("globex"), words: { signIn: { title: "Say it" } } }),
    "login_text.set → pageWords/globex",
  ],
  ["a reader's role beyond the owner's", own("u-bob"), "organization.member.added → pageWords/globex"],
  ["the owner's role beyond their organization", own("u-boss"), "organization.member.added → pageWords/globex"],
  [
    "the owner's state",
    (ctx) => setUserState(ctx, { organizationId: "globex", userId: "u-boss" }, "lock"),
    "user.locked → machines pageWords/globex userCounts",
  ],
  [
    "the owner's state as before",
    (ctx) => setUserState(ctx, { organizationId: "globex", userId: "u-boss" }, "unlock"),
    "user.unlocked → machines pageWords/globex userCounts",
  ],
  [
    "a person who goes",
    (ctx) => removeUser(ctx, { organizationId: "globex", userId: "u-bob" }),
    "user.removed → machines pageWords/globex userCounts",
  ],
  [
    "a domain",
    (ctx) => giveUpDomain(ctx, "acme", "more.acme.test"),
    "organization.domain.removed → pageWords resources/acme",
  ],
  [
    "a feature",
    (ctx) => setFeatures(ctx, { oidcTokenExchange: true }),
    "instance.changed → clients defaultLanguages instance pageWords",
  ],
  [
    "an organization that is stopped",
    (ctx) => setOrganizationState(ctx, "globex", "inactive"),
    "organization.deactivated → clients/globex machines pageWords/globex resources/globex targetProjects/globex",
  ],
  [
    "an organization that works again",
    (ctx) => setOrganizationState(ctx, "globex", "active"),
    "organization.reactivated → clients/globex machines pageWords/globex resources/globex targetProjects/globex",
  ],
  [
    "a new project",
    (ctx) => createProject(ctx, { id: "p-new", organizationId: "acme", name: "New" }),
    "project.added project.member.added → pageWords/globex",
  ],
  [
    "a new organization",
    (ctx) => createOrganization(ctx, { name: "New", from: "acme" }),
    "organization.added organization.domain.added organization.domain.verified organization.domain.primary_set → pageWords",
  ],
  ["an app that goes", (ctx) => removeApp(ctx, app("acme")), "app.removed → clients/acme machines origins"],
  [
    "a project that goes",
    (ctx) => removeProject(ctx, project("globex")),
    "project.removed → clients/globex machines origins pageWords/globex resources/globex targetProjects/globex",
  ],
  [
    "an organization that goes",
    (ctx) => removeOrganization(ctx, "globex"),
    "organization.removed → clientDecisions/globex clients defaultLanguages emailProviders/globex identityProviders/globex instance machines origins pageWords passwordHooks/globex policies/globex resources/globex smsProviders/globex targetProjects/globex userCounts",
  ],
];
