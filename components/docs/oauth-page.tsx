// The endpoints of OAuth 2.0 and OpenID Connect: the parameters, responses and errors of each, with exchanges recorded
// by the tests.
import type { ShownEndpoint } from "./model";
import { Fields, Sample, withCode } from "./parts";

export function OAuthPage({ baseUrl, endpoints }: { baseUrl: string; endpoints: readonly ShownEndpoint[] }) {
  return (
    <>
      <h1>OAuth 2.0 and OpenID Connect</h1>
      <p>
        The issuer is <code>{baseUrl}</code>. Libraries find everything by its discovery document,{" "}
        <a href="/.well-known/openid-configuration">
          <code>/.well-known/openid-configuration</code>
        </a>
        , which says what is supported; this page says it for people. The exchanges are those that the tests of this
        release made, with tokens and codes replaced.
      </p>
      <ul className="contents-of-page">
        {endpoints.map(({ id, name, path }) => (
          <li key={id}>
            <a href={`#${id}`}>{name}</a> <code>{path}</code>
          </li>
        ))}
      </ul>
      {endpoints.map((endpoint) => (
        <Endpoint key={endpoint.id} {...endpoint} />
      ))}
    </>
  );
}

function Endpoint({ id, name, methods, path, standard, about, parameters, answer, errors, examples }: ShownEndpoint) {
  return (
    <section className="operation endpoint" id={id} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>
        <a href={`#${id}`}>{name}</a>
      </h2>
      <p className="place">
        <span className="method">{methods}</span> <code>{path}</code> <span className="note">{standard}</span>
      </p>
      <div className="beside">
        <div>
          {about.map((paragraph) => (
            <p key={paragraph}>{withCode(paragraph)}</p>
          ))}
          {parameters.length > 0 && (
            <>
              <h3>Parameters</h3>
              <Fields fields={parameters} />
            </>
          )}
          {answer.length > 0 && (
            <>
              <h3>Answer</h3>
              <Fields fields={answer} />
            </>
          )}
          {errors.length > 0 && (
            <>
              <h3>Errors</h3>
              <ul className="fields">
                {errors.map(({ code, status, about: why }) => (
                  <li key={code}>
                    <code>{code}</code> <span className="note">{status}</span>
                    <p>{withCode(why)}</p>
                  </li>
                ))}
              </ul>
            </>
          )}
        </div>
        <div className="samples">
          {examples.map(({ title, request, answer: answered }) => (
            <div key={title}>
              <h3>{title}</h3>
              <Sample text={request} />
              <Sample text={answered} />
            </div>
          ))}
        </div>
      </div>
    </section>
  );
}
