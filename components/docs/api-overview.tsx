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
        finds an operation by its name, its address or a field.
      </p>
      <ul className="fields">
        <li>
          <a href="/docs/api/authentication">Authentication in one minute</a>
          <p>A token by secret, by key file or by personal access token, and the first call with it.</p>
        </li>
        <li>
          <a href="/docs/api/oauth">OAuth 2.0 and OpenID Connect</a>
          <p>Every endpoint of the provider with its parameters, answers and errors.</p>
        </li>
        <li>
          <a id="schemas" href="/docs/api/schemas">
            Schemas
          </a>
          <p>Objects that several operations take or answer.</p>
        </li>
        <li>
          <a href="/openapi.json">OpenAPI 3.1</a> · <a href="/proto">gRPC</a>
          <p>The same for programs: to generate a client, or to import into a tool.</p>
        </li>
      </ul>
      <h2 id="rules">What holds everywhere</h2>
      <p>
        Each operation takes an access token as bearer, asked for with the scope <code>{audienceScope}</code>.
        Permissions are read at the moment of use. <code>x-service-orgid</code> chooses the organization.
      </p>
      <p>
        Errors have a number, a sentence in the language of <code>Accept-Language</code>, and the details of what is
        wrong: a slug that never changes, and the field it is about. 400: the request is wrong. 401: no token, or one
        that is not meant for this service. 403: the caller may not do this here. 404: there is no such thing. 409: it
        exists already. 412: the state is not the one that the caller has seen. 429 and 503: later, after{" "}
        <code>Retry-After</code>.
      </p>
      <p>
        Of one caller two changes and four reads are under way at a time, of an organization twice as many; what is sent
        beside them waits in line, so more connections do not make it faster.
      </p>
      <p>
        Bodies are JSON as protocol buffers write it: names also in snake_case, enum values also as the numbers of
        ZITADEL's contract. Members that are not known are ignored, and named in the answer's header{" "}
        <code>x-service-ignored</code>. <code>x-zitadel-orgid</code> is read like <code>x-service-orgid</code>.
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
