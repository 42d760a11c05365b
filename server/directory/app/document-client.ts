/**
 * Clients whose client id is the URL of their metadata document (rule REGISTER-1). They are not registered: their
 * metadata is that of the document, at each request. An app is stored for one only when a user has signed in to it,
 * so that consents, grants and the pages of administrators can name it; until then nothing is written (attack:
 * filling the database by client ids).
 */
import type { Context } from "../../context";
import { newId } from "../../crypto/random";
import { asSystem, recordIn, UNCHANGED } from "../../events/record";
import type { Client } from "../../protocol/client";
import { documentUrl, isDocumentAccepted } from "../../protocol/client-document";
import { type ActiveApp, findStoredState, insertApp, readAppByClientId } from "../../storage/app/app";
import { insertRegistration } from "../../storage/app/registrations";
import { findOrganizationName } from "../../storage/organization/organization";
import { changeDirectory } from "../change";
import { findInstance } from "../instance";
import { readSecuritySettings } from "../instance-settings";
import { toClient } from "./client";
import { findDocument } from "./client-documents";
import type { ClientMetadata } from "./client-metadata";
import { registrationProject } from "./registration-project";
import { USED_LIFETIME } from "./registration-use";

/**
 * Returns the client of a document; undefined if the instance accepts no documents or none of this host, if the
 * document is not valid, or if an administrator has deactivated the app.
 * @param stored its active app, if a user has signed in to it
 */
export async function findDocumentClient(
  ctx: Context,
  clientId: string,
  stored: ActiveApp | undefined,
): Promise<Client | undefined> {
  const url = documentUrl(clientId);
  if (!url || !(await acceptsDocument(ctx, url))) return undefined;
  if (!stored && (await findStoredState(ctx.db, clientId)) !== undefined) return undefined; // it is inactive
  const metadata = await findDocument(ctx, url);
  return "problem" in metadata ? undefined : clientOf(clientId, metadata, stored ?? (await strangerIn(ctx)));
}

/** Whether documents at this address are accepted now; the answer is at most a few seconds old. */
export async function acceptsDocument(ctx: Context, url: URL): Promise<boolean> {
  return isDocumentAccepted((await readSecuritySettings(ctx)).clientIdMetadataDocuments, url);
}

/** Returns why a client id that is the URL of a document names no client, for its developer; undefined for others. */
export async function whyNoClient(ctx: Context, clientId: string): Promise<string | undefined> {
  const { enabled } = (await readSecuritySettings(ctx)).clientIdMetadataDocuments;
  if (!enabled || !/^https?:\/\//i.test(clientId)) return undefined;
  const url = documentUrl(clientId);
  if (!url) return "client_id is no address of a metadata document: https with a path, written as browsers write it";
  if (!(await acceptsDocument(ctx, url))) return "metadata documents of this host are not accepted";
  const found = await findDocument(ctx, url);
  return "problem" in found ? found.problem : "the application was deactivated";
}

type Owned = Omit<ActiveApp, "name" | "kind" | "clientId" | "secrets" | "settings" | "jwks" | "keys" | "metadata">;

/** The owner of a client that is not stored: no project, and the organization that such clients will belong to. */
async function strangerIn(ctx: Context): Promise<Owned> {
  const organizationId = (await findInstance(ctx)).defaultOrganizationId ?? "";
  const organizationName = (await findOrganizationName(ctx.db, organizationId)) ?? "";
  return {
    ...{ id: "", projectId: "", organizationId, organizationName },
    ...{ projectRoleAssertion: false, projectRoleCheck: false, hasProjectCheck: false, rolesClaim: null },
    privateLabelingSetting: null,
    ...{ isTrusted: false, mayManage: false, origin: "document", usedAt: null },
  };
}

function clientOf(clientId: string, { name, settings, jwks, further }: ClientMetadata, owned: Owned): Client {
  return toClient({ ...owned, clientId, name, kind: "oidc", settings, jwks, metadata: further, secrets: [], keys: [] });
}

/**
 * Stores the app of a document's client, which a user is about to sign in to. Does nothing for other clients, and for
 * one that is stored already.
 */
export async function keepDocumentClient(ctx: Context, client: Client): Promise<void> {
  if (client.origin !== "document" || client.appId !== "") return;
  const url = documentUrl(client.clientId);
  const metadata = url && (await findDocument(ctx, url));
  if (!metadata || "problem" in metadata) throw new Error("the metadata document vanished during the sign-in");
  const project = await registrationProject(ctx);
  const { name, settings, jwks, further } = metadata;
  const { clientId } = client;
  const id = newId();
  await changeDirectory(ctx, (ctx) =>
    recordIn(asSystem(ctx, { clientId }), {
      type: "app.added",
      object: { id, organizationId: project.organizationId },
      async state(_, now) {
        if (await readAppByClientId(ctx.tx, clientId)) return UNCHANGED; // another request was first
        const grants = { isTrusted: false, mayManage: false };
        const times = { createdAt: now, changedAt: now };
        const app = { id, projectId: project.projectId, name, clientId, settings, jwks, ...grants, ...times };
        await insertApp(ctx.tx, { ...app, kind: "oidc", state: "active" });
        const expiresAt = now + USED_LIFETIME;
        const row = { appId: id, kind: "document" as const, tokenDigest: null, vouchedBy: null, address: null };
        await insertRegistration(ctx.tx, { ...row, metadata: further, createdAt: now, usedAt: now, expiresAt });
        return { payload: { name, kind: "oidc", clientId, settings, jwks: jwks as never } };
      },
    }),
  );
}
