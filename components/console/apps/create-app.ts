// What the wizard creates: a project if a new one is wanted, then the app or the machine, then its secret.

import { callOperation } from "../call";
import {
  AddAPIApp,
  AddMachineUser,
  AddOIDCApp,
  AddProject,
  GenerateMachineSecret,
  ListProjects,
} from "../generated/operations";
import type { Answer } from "../refusal";
import { SAFE_SETTINGS } from "./kinds";
import type { AppKind } from "./snippets/snippet";

export interface AppToCreate {
  kind: AppKind;
  name: string;
  /** Left out for a new project, which is called like the app, and for machines. */
  projectId?: string;
  /** The framework that was chosen, whose code is shown first. */
  stack?: string;
  redirectUris?: readonly string[];
  postLogoutRedirectUris?: readonly string[];
}

export interface CreatedApp {
  clientId: string;
  secret: string | undefined;
  /** The address of its page. */
  address: string;
}

interface Surroundings {
  organizationId: string;
  /** Address of the organization's pages. */
  base: string;
}

/** Stops at the first refusal. What was created before is kept, and found again when the form is sent again. */
export async function createApp(wanted: AppToCreate, place: Surroundings): Promise<Answer<CreatedApp>> {
  if (wanted.kind === "machine") return createMachine(wanted, place);
  const project = await projectFor(wanted, place);
  if (!project.ok) return project;
  const projectId = project.body.id;
  const { kind, name, stack, redirectUris = [], postLogoutRedirectUris = [] } = wanted;
  const { organizationId } = place;
  const at = { projectId };
  const made =
    kind === "api"
      ? await callOperation(AddAPIApp, {
          at,
          body: { name, authMethodType: "API_AUTH_METHOD_TYPE_BASIC" },
          organizationId,
        })
      : await callOperation(AddOIDCApp, {
          at,
          body: { name, ...SAFE_SETTINGS[kind], redirectUris, postLogoutRedirectUris },
          organizationId,
        });
  if (!made.ok) return made;
  const { appId, clientId, clientSecret } = made.body;
  const page = `${place.base}/projects/${encodeURIComponent(projectId)}/apps/${encodeURIComponent(appId)}`;
  const address = `${page}${stack ? `?stack=${encodeURIComponent(stack)}` : ""}#first`;
  return { ...made, body: { clientId, secret: clientSecret, address } };
}

/** Nobody is asked for a name before they know what a project is; it can be changed like any other. */
async function projectFor({ projectId, name }: AppToCreate, place: Surroundings): Promise<Answer<{ id: string }>> {
  if (projectId) return { ok: true, status: 200, body: { id: projectId } };
  const { organizationId } = place;
  const query = { nameQuery: { name, method: "TEXT_QUERY_METHOD_EQUALS" } } as const;
  const known = await callOperation(ListProjects, { body: { queries: [query] }, organizationId });
  const [same] = known.ok ? known.body.result : [];
  if (known.ok && same) return { ...known, body: same };
  return callOperation(AddProject, { body: { name }, organizationId });
}

/** A machine's client id is its user name (rule ID-4). */
async function createMachine(
  { name }: AppToCreate,
  { organizationId, base }: Surroundings,
): Promise<Answer<CreatedApp>> {
  const userName = name
    .toLowerCase()
    .replace(/[^\p{Letter}\p{Number}]+/gu, "-")
    .replace(/^-|-$/g, "");
  const made = await callOperation(AddMachineUser, { body: { userName, name }, organizationId });
  if (!made.ok) return made;
  const { userId } = made.body;
  const secret = await callOperation(GenerateMachineSecret, { at: { userId }, body: {}, organizationId });
  if (!secret.ok) return secret;
  const { clientId, clientSecret } = secret.body;
  return {
    ...secret,
    body: { clientId, secret: clientSecret, address: `${base}/machines/${encodeURIComponent(userId)}` },
  };
}
