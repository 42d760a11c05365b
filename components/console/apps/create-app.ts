// What the wizard creates: a project if a new one is requested, then the app or the machine, then its secret or key.

import {
  AddAPIApp,
  AddAppKey,
  AddMachineKey,
  AddMachineUser,
  AddOIDCApp,
  AddProject,
  GenerateMachineSecret,
  ListProjects,
} from "../../../shared/generated/operations";
import type { Answer } from "../../../shared/refusal";
import { callOperation } from "../calls/call";
import { type Credential, frameworkOf, neededSettings } from "./frameworks";
import { authenticates, grantTypesFor, SAFE_SETTINGS } from "./kinds";
import type { AppKind } from "./snippet";

export interface AppToCreate {
  kind: AppKind;
  name: string;
  /** Omitted for machines and for a new project. */
  projectId?: string;
  /** Whether the organization has no project yet. */
  isFirstProject?: boolean;
  /** The chosen framework, whose settings are applied and whose code is shown first. */
  stack?: string;
  /** The API that the app calls, if that API verifies JWTs itself. */
  calls?: string;
  /** Omitted for kinds that can keep neither a secret nor a key. */
  credential?: Credential;
  redirectUris?: readonly string[];
  postLogoutRedirectUris?: readonly string[];
}

export interface CreatedApp {
  clientId: string;
  secret: string | undefined;
  /** The key file, in base64. */
  keyDetails?: string;
  /** The address of the page of the created app. */
  address: string;
}

interface Surroundings {
  organizationId: string;
  /** Address of the organization's pages. */
  base: string;
}

/**
 * Creates the app and stops at the first error. What was created before is kept, and is found when the form is sent
 * again.
 */
export async function createApp(wanted: AppToCreate, place: Surroundings): Promise<Answer<CreatedApp>> {
  if (wanted.kind === "machine") return createMachine(wanted, place);
  const project = await projectFor(wanted, place);
  if (!project.ok) return project;
  const projectId = project.body.id;
  const { kind, name, stack, redirectUris = [], postLogoutRedirectUris = [] } = wanted;
  const { organizationId } = place;
  const at = { projectId };
  const { settings, hasKey } = settingsOf(wanted);
  const made =
    kind === "api"
      ? await callOperation(AddAPIApp, {
          at,
          body: {
            name,
            ...settings,
            authMethodType: hasKey ? "API_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT" : "API_AUTH_METHOD_TYPE_BASIC",
          },
          organizationId,
        })
      : await callOperation(AddOIDCApp, {
          at,
          body: {
            name,
            ...SAFE_SETTINGS[kind],
            grantTypes: grantTypesFor(kind, redirectUris),
            ...settings,
            ...(hasKey && { authMethodType: "OIDC_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT" }),
            redirectUris,
            postLogoutRedirectUris,
          },
          organizationId,
        });
  if (!made.ok) return made;
  const { appId, clientId, clientSecret } = made.body;
  const page = `${place.base}/projects/${encodeURIComponent(projectId)}/apps/${encodeURIComponent(appId)}`;
  const address = `${page}${chosenIn(stack)}#first`;
  const body = { clientId, secret: clientSecret, address };
  if (!hasKey) return { ...made, body };
  const key = await callOperation(AddAppKey, {
    at: { projectId, appId },
    body: { type: "KEY_TYPE_JSON" },
    organizationId,
  });
  return key.ok ? { ...key, body: { ...body, keyDetails: key.body.keyDetails } } : key;
}

/** Returns the settings and the credential that the wizard's choices result in. */
function settingsOf({ kind, stack, calls, credential = "secret" }: AppToCreate) {
  const { settings } = neededSettings({ framework: frameworkOf(stack), credential, calls: frameworkOf(calls) });
  return { settings, hasKey: credential === "key" && authenticates(kind) };
}

const chosenIn = (stack: string | undefined): string => (stack ? `?stack=${encodeURIComponent(stack)}` : "");

/** The name of an organization's first project. */
const FIRST_PROJECT = "Default";

/**
 * Returns the selected project, or finds or creates one. Users need no name for a project before they know what a
 * project is: the first one is named "Default", a further one like the app. They can rename it later.
 */
async function projectFor(wanted: AppToCreate, place: Surroundings): Promise<Answer<{ id: string }>> {
  const { projectId, isFirstProject } = wanted;
  if (projectId) return { ok: true, status: 200, body: { id: projectId } };
  const name = isFirstProject ? FIRST_PROJECT : wanted.name;
  const { organizationId } = place;
  const query = { nameQuery: { name, method: "TEXT_QUERY_METHOD_EQUALS" } } as const;
  const known = await callOperation(ListProjects, { body: { queries: [query] }, organizationId });
  const [same] = known.ok ? known.body.result : [];
  if (known.ok && same) return { ...known, body: same };
  return callOperation(AddProject, { body: { name }, organizationId });
}

/** A machine's client id is its user name (rule ID-4). */
async function createMachine(wanted: AppToCreate, { organizationId, base }: Surroundings): Promise<Answer<CreatedApp>> {
  const { name, stack } = wanted;
  const userName = name
    .toLowerCase()
    .replace(/[^\p{Letter}\p{Number}]+/gu, "-")
    .replace(/^-|-$/g, "");
  const { settings, hasKey } = settingsOf(wanted);
  const { legacyAssertionAudience } = settings;
  const made = await callOperation(AddMachineUser, {
    body: { userName, name, legacyAssertionAudience },
    organizationId,
  });
  if (!made.ok) return made;
  const { userId } = made.body;
  const address = `${base}/machines/${encodeURIComponent(userId)}${chosenIn(stack)}`;
  const at = { userId };
  if (hasKey) {
    const key = await callOperation(AddMachineKey, { at, body: { type: "KEY_TYPE_JSON" }, organizationId });
    if (!key.ok) return key;
    return { ...key, body: { clientId: userId, secret: undefined, keyDetails: key.body.keyDetails, address } };
  }
  const secret = await callOperation(GenerateMachineSecret, { at, body: {}, organizationId });
  if (!secret.ok) return secret;
  const { clientId, clientSecret } = secret.body;
  return { ...secret, body: { clientId, secret: clientSecret, address } };
}
