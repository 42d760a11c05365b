// `/docs/api` and the pages below it, each made when it is first asked for. They are the same for everybody; style and
// script are allowed by their hashes, and a script may call this origin alone.
import type { ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import apiSource from "../../../components/docs/api.css?raw";
import { ApiOverview } from "../../../components/docs/api-overview";
import { AreaPage, SchemaPage, SchemasPage } from "../../../components/docs/area-page";
import { AuthenticationPage } from "../../../components/docs/authentication-page";
import docsSource from "../../../components/docs/docs.css?raw";
import { DocumentPage, DocumentResults } from "../../../components/docs/document-page";
import documentsSource from "../../../components/docs/documents.css?raw";
import entranceSource from "../../../components/docs/entrance.browser.js?raw";
import type { ApiDocs } from "../../../components/docs/model";
import { OAuthPage } from "../../../components/docs/oauth-page";
import trySource from "../../../components/docs/try.browser.js?raw";
import tokensSource from "../../../components/ui/tokens.css?raw";
import type { Config } from "../../config/config";
import type { Http } from "../../http/env";
import type { Methods, Routes } from "../../http/routes";
import { MAX_QUERY_LENGTH } from "../../web/documents/search";
import { contentHash, publicPageHeaders } from "../../web/pages/headers";
import { operationAreas } from "./areas";
import { describeApi, type OpenApi } from "./describe";
import { readExamples } from "./examples";
import { AUDIENCE_SCOPE, openApiDocument } from "./openapi";
import { operationSearch } from "./search";
import { shownEndpoints } from "./shown-endpoints";
import { staticDocument } from "./static-document";

type Addresses = Pick<Config, "baseUrl" | "authUrl">;

interface Page {
  address: string;
  title: string;
  query?: string;
  /** The page works without this script. */
  script?: string;
  children: ReactNode;
}

const withoutComments = (source: string) => source.replace(/^\s*\/\/ .*$/gm, "").replace(/\n\s+/g, "\n");
const style = (tokensSource + docsSource + documentsSource + apiSource)
  .replace(/\/\*[\s\S]*?\*\//g, "")
  .replace(/\s+/g, " ");
const ENTRANCE_SCRIPT = withoutComments(entranceSource);
const TRY_SCRIPT = withoutComments(trySource);

const ABOUT = [
  ["/docs/api", "Overview"],
  ["/docs/api/authentication", "Authentication"],
  ["/docs/api/oauth", "OAuth 2.0 and OpenID Connect"],
  ["/docs/api/schemas", "Schemas"],
  ["/docs", "Guides"],
] as const;

const SEARCH = { address: "/docs/api/search", label: "Search the API" };
const DOCUMENTS = { address: "/docs/search", label: "Search the guides for this" };

export function apiDocsRoutes(config: Addresses): Routes {
  const areas = operationAreas();
  let described: ApiDocs | undefined;
  const docs = (): ApiDocs => {
    described ??= {
      ...config,
      audienceScope: AUDIENCE_SCOPE,
      ...describeApi(openApiDocument(config) as OpenApi, areas, readExamples(config.baseUrl)),
    };
    return described;
  };
  const links = [
    { group: "API", documents: ABOUT.map(([address, title]) => ({ address, title, about: "" })) },
    {
      group: "Operations",
      documents: areas.map(({ name, anchor }) => ({ address: `/docs/api/${anchor}`, title: name, about: "" })),
    },
  ];
  const render = (page: Page): string =>
    `<!doctype html>${renderToStaticMarkup(<DocumentPage {...page} style={style} links={links} search={SEARCH} />)}`;
  const page = (address: string, title: string, children: () => ReactNode, script?: string): Methods =>
    staticDocument(() => render({ address, title, script, children: children() }), {
      ...htmlHeaders(script),
      "cache-control": "public, max-age=3600",
    });
  const areaPages = areas.map(({ name, anchor }) => {
    const address = `/docs/api/${anchor}`;
    const shown = () => docs().areas.find((one) => one.anchor === anchor);
    return [address, page(address, name, () => <AreaPage {...(shown() as ApiDocs["areas"][0])} />, TRY_SCRIPT)];
  });
  return {
    "/docs/api": page("/docs/api", "API", () => <ApiOverview docs={docs()} />, ENTRANCE_SCRIPT),
    "/docs/api/authentication": page("/docs/api/authentication", "Authentication", () => (
      <AuthenticationPage docs={docs()} />
    )),
    "/docs/api/oauth": page("/docs/api/oauth", "OAuth 2.0 and OpenID Connect", () => (
      <OAuthPage baseUrl={config.authUrl} endpoints={shownEndpoints(config.authUrl)} />
    )),
    ...Object.fromEntries(areaPages),
    ...schemaRoutes(docs, page),
    "/docs/api/search": searchRoute(docs, config, render),
  };
}

function schemaRoutes(docs: () => ApiDocs, page: (a: string, t: string, c: () => ReactNode) => Methods): Routes {
  const made = new Map<string, Methods>();
  return {
    "/docs/api/schemas": page("/docs/api/schemas", "Schemas", () => <SchemasPage schemas={docs().schemas} />),
    "/docs/api/schemas/:name": {
      GET: async (ctx, http) => {
        const schema = docs().schemas.find(({ name }) => name === http.req.param("name"));
        if (!schema) return http.notFound();
        const { name } = schema;
        const known = made.get(name) ?? page(`/docs/api/schemas/${name}`, name, () => <SchemaPage {...schema} />);
        made.set(name, known);
        return known.GET?.(ctx, http) ?? http.notFound();
      },
    },
  };
}

function searchRoute(docs: () => ApiDocs, { authUrl }: Addresses, render: (page: Page) => string): Methods {
  let search: ReturnType<typeof operationSearch> | undefined;
  return {
    GET: (_, http: Http) => {
      const query = (http.req.query("q") ?? "").slice(0, MAX_QUERY_LENGTH).trim();
      search ??= operationSearch(docs().areas, shownEndpoints(authUrl));
      const found = query === "" ? [] : search(query);
      const children = <DocumentResults query={query} found={found} elsewhere={DOCUMENTS} />;
      const html = render({ address: "/docs/api/search", title: "Search the API", query, children });
      return http.body(html, 200, htmlHeaders());
    },
  };
}

const htmlHeaders = (script?: string): Record<string, string> => ({
  ...publicPageHeaders({
    styleHash: contentHash(style),
    ...(script !== undefined && { scriptHash: contentHash(script), callsItself: script === TRY_SCRIPT }),
  }),
  "content-type": "text/html; charset=utf-8",
  "content-language": "en",
});
