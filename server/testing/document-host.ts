/** A host of client metadata documents on this machine, with a certificate that the service under test trusts. */
import { createPrivateKey } from "node:crypto";
import https from "node:https";
import type { AddressInfo } from "node:net";
import { reachDocumentsBy } from "../directory/app/client-documents";
import { guardedFetch } from "../net/guarded-fetch";
import { reachProvidersBy } from "../oidc/provider-endpoints";
import { CERTIFICATE, KEY } from "./certificate";
import type { TestService } from "./test-context";

export interface DocumentHost {
  /** The address of a document. */
  url(path: string): string;
  /** Serves a document, one that is valid with these members. */
  serve(path: string, members?: object, headers?: Record<string, string>): string;
  /** Answers with anything else. */
  answer(path: string, answer: Answer): string;
  remove(path: string): void;
  /** How often a path was asked for. */
  asked(path: string): number;
  close(): Promise<unknown>;
}

const ON_LOOPBACK = { devMode: true, onLoopback: true, largest: 256 * 1024 };

type Answer = (response: import("node:http").ServerResponse) => void;

export const DOCUMENT_REDIRECT = "http://127.0.0.1/callback";

export async function documentHost(service: Pick<TestService, "ctx">): Promise<DocumentHost> {
  const answers = new Map<string, Answer>();
  const asked = new Map<string, number>();
  const key = createPrivateKey({ key: KEY, format: "jwk" }).export({ type: "pkcs8", format: "pem" });
  const server = https.createServer({ cert: CERTIFICATE, key }, ({ url = "" }, response) => {
    asked.set(url, (asked.get(url) ?? 0) + 1);
    const answer = answers.get(url);
    if (answer) answer(response);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  reachDocumentsBy(service.ctx, { ca: CERTIFICATE });
  reachProvidersBy(service.ctx, async (address, { method, headers }) => {
    const answer = await guardedFetch(address, { method, headers }, { ...ON_LOOPBACK, ca: CERTIFICATE });
    if ("error" in answer) throw new Error(answer.error);
    return new Response(answer.text, { status: answer.status, headers: { "content-type": "application/json" } });
  });
  const host: DocumentHost = {
    url: (path) => `https://localhost:${port}${path}`,
    serve(path, members = {}, headers = {}) {
      const document = {
        client_id: host.url(path),
        client_name: "Notes",
        redirect_uris: [DOCUMENT_REDIRECT],
        grant_types: ["authorization_code", "refresh_token"],
        token_endpoint_auth_method: "none",
        ...members,
      };
      return host.answer(path, (response) =>
        response.writeHead(200, { "content-type": "application/json", ...headers }).end(JSON.stringify(document)),
      );
    },
    answer(path, answer) {
      answers.set(path, answer);
      return host.url(path);
    },
    remove: (path) => void answers.delete(path),
    asked: (path) => asked.get(path) ?? 0,
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
  return host;
}
