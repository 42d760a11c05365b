// The page of the API: every operation with its permission, fields and a command to try it. One static document without
// a script: sections and operations can be folded, and the browser's search finds everything.
import type { ReactNode } from "react";
import { Mark, PRODUCT_NAME } from "../ui/logo";
import type { ApiDocs, Chapter, Field, ShownOperation, ShownSchema, TypePart } from "./model";

export function ApiPage({ docs, style }: { docs: ApiDocs; style: string }) {
  const count = docs.chapters.reduce((sum, { operations }) => sum + operations.length, 0);
  return (
    <html lang="en">
      {/* biome-ignore lint/style/noHeadElement: rendered by react-dom/server, outside Next */}
      <head>
        <meta charSet="utf-8" />
        <title>{`API · ${PRODUCT_NAME}`}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: our own style sheet, allowed by its hash */}
        <style dangerouslySetInnerHTML={{ __html: style }} />
      </head>
      <body>
        <a className="skip" href="#operations">
          Skip to the operations
        </a>
        <header>
          <a className="brand" href="/">
            <Mark /> {PRODUCT_NAME}
          </a>
          <a href="/docs">Guides</a>
          <a href="/openapi.json">OpenAPI 3.1</a>
          <a href="/console">Console</a>
        </header>
        <div className="frame">
          <nav aria-label="Chapters">
            <ul>
              {docs.chapters.map(({ name, anchor, operations }) => (
                <li key={anchor}>
                  <a href={`#${anchor}`}>{name}</a> <small>{operations.length}</small>
                </li>
              ))}
              <li>
                <a href="#schemas">Schemas</a> <small>{docs.schemas.length}</small>
              </li>
            </ul>
          </nav>
          <main id="operations">
            <h1>API</h1>
            <Introduction docs={docs} count={count} />
            {docs.chapters.map((chapter) => (
              <ChapterSection key={chapter.anchor} {...chapter} />
            ))}
            <section aria-labelledby="schemas">
              <h2 id="schemas">Schemas</h2>
              {docs.schemas.map((schema) => (
                <SchemaSection key={schema.name} {...schema} />
              ))}
            </section>
          </main>
        </div>
      </body>
    </html>
  );
}

function Introduction({ docs: { baseUrl, audienceScope }, count }: { docs: ApiDocs; count: number }) {
  return (
    <>
      <p>
        {count} operations at <code>{baseUrl}</code>. Each takes an access token as bearer, asked for with the scope{" "}
        <code>{audienceScope}</code>; permissions are read at the moment of use. <code>x-service-orgid</code> chooses
        the organization.
      </p>
      <p>
        Errors have a number, a sentence in the language of <code>Accept-Language</code>, and the details of what is
        wrong: a slug that never changes, and the field it is about.
      </p>
      <p>
        Bodies are JSON as protocol buffers write it: names also in snake_case, enum values also as the numbers of
        ZITADEL's contract. Members that are not known are ignored, and named in the answer's header{" "}
        <code>x-service-ignored</code>. <code>x-zitadel-orgid</code> is read like <code>x-service-orgid</code>.
      </p>
    </>
  );
}

function ChapterSection({ name, anchor, operations }: Chapter) {
  return (
    <section aria-labelledby={anchor}>
      <h2 id={anchor}>{name}</h2>
      {operations.map((operation) => (
        <OperationDetails key={operation.id} {...operation} />
      ))}
    </section>
  );
}

function OperationDetails(operation: ShownOperation) {
  const { id, method, path, summary, description, parameters, curl } = operation;
  return (
    <details>
      <summary>
        <span className={`method ${method.toLowerCase()}`}>{method}</span> <code>{path}</code>
        <span className="says">{summary}</span>
      </summary>
      {/* The id stands inside: a link to it opens what is around it. */}
      <div className="inside" id={id}>
        {description.map((paragraph) => (
          <p key={paragraph}>{withCode(paragraph)}</p>
        ))}
        {parameters.length > 0 && (
          <>
            <h3>Parameters</h3>
            <Fields fields={parameters.map(({ place, ...field }) => ({ ...field, note: `in ${place}` }))} />
          </>
        )}
        <Shape title="Body" fields={operation.body} schema={operation.bodySchema} />
        <Shape title="Answer" fields={operation.answer} schema={operation.answerSchema} />
        <h3>Example</h3>
        <pre>
          <code>{curl}</code>
        </pre>
        <p className="id">
          <a href={`#${id}`}>{id}</a>
        </p>
      </div>
    </details>
  );
}

function Shape({ title, fields, schema }: { title: string; fields: readonly Field[]; schema?: TypePart }) {
  if (fields.length === 0 && schema === undefined) return null;
  return (
    <>
      <h3>{title}</h3>
      {schema !== undefined && <p>{typeText([schema])}</p>}
      {fields.length > 0 && <Fields fields={fields} />}
    </>
  );
}

function Fields({ fields }: { fields: readonly (Field & { note?: string })[] }) {
  return (
    <ul className="fields">
      {fields.map(({ name, type, isRequired, description, note }) => (
        <li key={`${note} ${name}`}>
          <code>{name}</code> <span className="type">{typeText(type)}</span>
          {note !== undefined && <span className="note"> {note}</span>}
          {isRequired && <span className="note"> required</span>}
          {description !== undefined && <p>{withCode(description)}</p>}
        </li>
      ))}
    </ul>
  );
}

function SchemaSection({ name, type, fields }: ShownSchema) {
  return (
    <details>
      <summary>
        <code>{name}</code>
      </summary>
      <div className="inside" id={`schema-${name}`}>
        {fields.length > 0 ? <Fields fields={fields} /> : <p>{typeText(type)}</p>}
      </div>
    </details>
  );
}

function typeText(parts: readonly TypePart[]): ReactNode {
  return parts.map((part, index) =>
    typeof part === "string" ? (
      part
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence stay where they are
      <a key={index} href={`#schema-${part.schema}`}>
        {part.schema}
      </a>
    ),
  );
}

/** Words between backticks as code. */
function withCode(text: string): ReactNode {
  return text.split("`").map((part, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence stay where they are
    index % 2 === 1 ? <code key={index}>{part}</code> : part,
  );
}
