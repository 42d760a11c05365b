// `/docs`: the documents of the repository as pages, their index and a search. They are rendered on the first request,
// so that they do not delay the start.
import { readFileSync } from "node:fs";
import path from "node:path";
import type { ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import docsSource from "../../../components/docs/docs.css?raw";
import { DocumentIndex, DocumentPage, DocumentResults, DocumentText } from "../../../components/docs/document-page";
import documentsSource from "../../../components/docs/documents.css?raw";
import tokensSource from "../../../components/ui/tokens.css?raw";
import { fingerprint } from "../../crypto/digest";
import { acceptedEncoding, type Packed, packedForms } from "../../http/content-encoding";
import type { Http } from "../../http/env";
import type { Routes } from "../../http/routes";
import { root } from "../../root";
import { contentHash, publicPageHeaders } from "../pages/headers";
import { publicDocumentAnswer } from "../public-document";
import { DOCUMENT_GROUPS, documentAddress, documentFiles, type Library, readLibrary } from "./library";
import { type DocumentSearch, documentSearch, MAX_QUERY_LENGTH } from "./search";

const style = (tokensSource + docsSource + documentsSource).replace(/\/\*[\s\S]*?\*\//g, "").replace(/\s+/g, " ");

interface Made {
  library: Library;
  search: DocumentSearch;
  links: { group: string; documents: Library["documents"] }[];
  pages: Map<string, { body: Uint8Array<ArrayBuffer>; packed: Packed }>;
}

let made: Made | undefined;

function everything(): Made {
  if (made) return made;
  const library = readLibrary();
  // The decisions have their own index.
  const links = DOCUMENT_GROUPS.filter((group) => group !== "Decisions").map((group) => ({
    group,
    documents: library.documents.filter((one) => one.group === group),
  }));
  made = { library, search: documentSearch(library.documents), links, pages: new Map() };
  return made;
}

export function documentRoutes(): Routes {
  const { files, pictures } = documentFiles();
  return {
    "/docs": { GET: (_, http) => page(http, "/docs", () => indexPage()) },
    "/docs/search": { GET: (_, http) => searchPage(http) },
    "/docs/migrate": { GET: ({ config }, http) => http.redirect(`${config.baseUrl}/docs/moving-in`, 301) }, // before 0.3
    ...Object.fromEntries(
      files
        .map(documentAddress)
        .map((address) => [
          address,
          { GET: (_: unknown, http: Http) => page(http, address, () => documentPage(address)) },
        ]),
    ),
    ...Object.fromEntries(
      pictures.map((name) => [`/docs/${name}`, { GET: (_: unknown, http: Http) => picture(http, name) }]),
    ),
  };
}

const indexPage = () => framed("Documentation", "/docs", <DocumentIndex links={everything().links} />);

function documentPage(address: string): string {
  const document = everything().library.documents.find((one) => one.address === address);
  return framed(document?.title ?? "", address, <DocumentText html={document?.html ?? ""} />);
}

function framed(title: string, address: string, children: ReactNode, query?: string): string {
  const { links } = everything();
  const frame = (
    <DocumentPage title={title} style={style} links={links} address={address} query={query}>
      {children}
    </DocumentPage>
  );
  return `<!doctype html>${renderToStaticMarkup(frame)}`;
}

/** Serves a page, which is identical for every reader until the next version. */
async function page(http: Http, address: string, make: () => string): Promise<Response> {
  const { pages } = everything();
  let known = pages.get(address);
  if (!known) {
    const body = new TextEncoder().encode(make());
    known = { body, packed: packedForms(body) };
    pages.set(address, known);
  }
  const etag = fingerprint(known.body);
  const headers = htmlHeaders({ "cache-control": "public, max-age=3600", vary: "accept-encoding" });
  const encoding = acceptedEncoding(http.req.header("accept-encoding"));
  if (encoding === undefined) {
    return publicDocumentAnswer(http, { body: known.body, headers: { ...headers, etag: `"${etag}"` } });
  }
  // Two encodings of one document are two representations (RFC 9110 §8.8.3.3).
  const packed = { ...headers, etag: `"${etag}-${encoding}"`, "content-encoding": encoding };
  return publicDocumentAnswer(http, { body: await known.packed(encoding), headers: packed });
}

const OPERATIONS = { address: "/docs/api/search", label: "Search the operations of the API for this" };

function searchPage(http: Http): Response {
  const query = (http.req.query("q") ?? "").slice(0, MAX_QUERY_LENGTH).trim();
  const found = query === "" ? [] : everything().search(query);
  const results = <DocumentResults query={query} found={found} elsewhere={OPERATIONS} />;
  return http.body(framed("Search", "/docs/search", results, query), 200, htmlHeaders({}));
}

const htmlHeaders = (more: Record<string, string>): Record<string, string> => ({
  ...publicPageHeaders({ styleHash: contentHash(style) }),
  "content-type": "text/html; charset=utf-8",
  "content-language": "en",
  ...more,
});

function picture(http: Http, name: string): Response {
  const body = new Uint8Array(readFileSync(path.join(root, "docs", name)));
  const headers = {
    "content-type": "image/png",
    "cache-control": "public, max-age=3600",
    etag: `"${fingerprint(body)}"`,
    "x-content-type-options": "nosniff",
  };
  return publicDocumentAnswer(http, { body, headers });
}
