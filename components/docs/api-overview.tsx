// The first page of the API documentation: what applies to every operation, and all operations by area. Each is listed
// under the anchor that it had when there was only one page, so that old links still work; the script redirects them
// (entrance.browser.js).
import type { ApiDocs } from "./model";

export function ApiOverview({ docs: { baseUrl, audienceScope, areas } }: { docs: ApiDocs }) {
  const count = areas.reduce((sum, { operations }) => sum + operations.length, 0);
  return (
    <>
      <h1>API</h1>
      <p>
        {count} operations at <code>{baseUrl}</code>, and the endpoints of OAuth 2.0 and OpenID Connect. Search above
        finds an operation by its name, path or fields.
      </p>
      <ul className="fields">
        <li>
          <a href="/docs/api/authentication">Authentication in one minute</a>
          <p>Get a token with a secret, a key file or a personal access token, and make the first call.</p>
        </li>
        <li>
          <a href="/docs/api/oauth">OAuth 2.0 and OpenID Connect</a>
          <p>Every endpoint of the provider with its parameters, responses and errors.</p>
        </li>
        <li>
          <a id="schemas" href="/docs/api/schemas">
            Schemas
          </a>
          <p>Objects that several operations accept or return.</p>
        </li>
        <li>
          <a href="/openapi.json">OpenAPI 3.1</a> · <a href="/proto">gRPC</a>
          <p>Machine-readable: generate a client, or import it into a tool.</p>
        </li>
      </ul>
      <h2 id="rules">Conventions</h2>
      <p>
        Send an access token as bearer token, requested with the scope <code>{audienceScope}</code>. Permissions are
        checked on each request. <code>x-service-orgid</code> selects the organization.
      </p>
      <p>
        Errors have a gRPC status code, a message in the language of <code>Accept-Language</code>, and details: a stable
        error code and the field it refers to. 400: the request is wrong. 401: the token is missing, or isn't meant for
        this service. 403: the caller lacks a permission. 404: the object doesn't exist. 409: it already exists. 412: it
        was changed since the caller read it. 429 and 503: try again after <code>Retry-After</code>.
      </p>
      <p>
        A caller can have two writes and four reads in progress at a time, an organization twice as many. Further
        requests are queued, so more connections don't make it faster.
      </p>
      <p>
        Bodies use the JSON mapping of Protocol Buffers: names can also be in snake_case, and enum values can also be
        the numbers of ZITADEL's API. Unknown fields are ignored and listed in the response header{" "}
        <code>x-service-ignored</code>. <code>x-zitadel-orgid</code> is an alias of <code>x-service-orgid</code>.
      </p>
      {areas.map(({ name, anchor, operations }) => (
        <section key={anchor} aria-labelledby={anchor}>
          <h2 id={anchor}>
            <a href={`/docs/api/${anchor}`}>{name}</a>
          </h2>
          <ul className="index">
            {operations.map(({ id, method, summary }) => (
              <li key={id} id={id}>
                <b>{method}</b> <a href={`/docs/api/${anchor}#${id}`}>{summary}</a>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </>
  );
}
