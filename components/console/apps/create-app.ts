// What the wizard creates: a project if a new one is wanted, then the app or the machine, then its secret.
import { callConsole } from "../call";
import type { Answer } from "../refusal";
import { SAFE_SETTINGS } from "./kinds";
import type { AppKind } from "./snippets/snippet";

export interface NewApp {
  kind: AppKind;
  name: string;
  /** Left out for a new project and for machines. */
  projectId?: string;
  projectName?: string;
  redirectUris?: readonly string[];
  postLogoutRedirectUris?: readonly string[];
}

export interface CreatedApp {
  clientId: string;
  secret: string | undefined;
  /** The address of its page. */
  address: string;
}

interface Place {
  organizationId: string;
  /** Address of the organization's pages. */
  base: string;
}

/** Stops at the first refusal. What was created before is kept, and found again when the form is sent again. */
export async function createApp(wanted: NewApp, place: Place): Promise<Answer<CreatedApp>> {
  if (wanted.kind === "machine") return createMachine(wanted, place);
  const project = await projectFor(wanted, place);
  if (!project.ok) return project;
  const projectId = project.body.id;
  const { kind, name, redirectUris = [], postLogoutRedirectUris = [] } = wanted;
  const isApi = kind === "api";
  const body = isApi
    ? { name, authMethodType: "API_AUTH_METHOD_TYPE_BASIC" }
    : { name, ...SAFE_SETTINGS[kind], redirectUris, postLogoutRedirectUris };
  const made = await callConsole<{ appId: string; clientId: string; clientSecret?: string }>(
    "POST",
    `/management/v1/projects/${encodeURIComponent(projectId)}/apps/${isApi ? "api" : "oidc"}`,
    { body, organizationId: place.organizationId },
  );
  if (!made.ok) return made;
  const { appId, clientId, clientSecret } = made.body;
  const address = `${place.base}/projects/${encodeURIComponent(projectId)}/apps/${encodeURIComponent(appId)}#code`;
  return { ...made, body: { clientId, secret: clientSecret, address } };
}

async function projectFor({ projectId, projectName }: NewApp, place: Place): Promise<Answer<{ id: string }>> {
  if (projectId) return { ok: true, status: 200, body: { id: projectId } };
  const { organizationId } = place;
  const query = { nameQuery: { name: projectName ?? "", method: "TEXT_QUERY_METHOD_EQUALS" } };
  const known = await callConsole<{ result: readonly { id: string }[] }>("POST", "/management/v1/projects/_search", {
    body: { queries: [query] },
    organizationId,
  });
  const [same] = known.ok ? known.body.result : [];
  if (known.ok && same) return { ...known, body: same };
  return callConsole("POST", "/management/v1/projects", { body: { name: projectName ?? "" }, organizationId });
}

/** A machine's client id is its user name (rule ID-4). */
async function createMachine({ name }: NewApp, { organizationId, base }: Place): Promise<Answer<CreatedApp>> {
  const userName = name
    .toLowerCase()
    .replace(/[^\p{Letter}\p{Number}]+/gu, "-")
    .replace(/^-|-$/g, "");
  const made = await callConsole<{ userId: string }>("POST", "/management/v1/users/machine", {
    body: { userName, name },
    organizationId,
  });
  if (!made.ok) return made;
  const id = encodeURIComponent(made.body.userId);
  const secret = await callConsole<{ clientId: string; clientSecret: string }>(
    "PUT",
    `/management/v1/users/${id}/secret`,
    { body: {}, organizationId },
  );
  if (!secret.ok) return secret;
  const { clientId, clientSecret } = secret.body;
  return { ...secret, body: { clientId, secret: clientSecret, address: `${base}/machines/${id}` } };
}
