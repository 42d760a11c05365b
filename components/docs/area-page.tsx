// An area of the API: every operation with its permission, fields, a command, the response, and a form to try it that
// the page's script adds (try.browser.js). Without the script, the page is complete.
import type { Area, ShownOperation, ShownSchema } from "./model";
import { Fields, Sample, Shape, schemaAddress, typeText, withCode } from "./parts";

export function AreaPage({ name, operations }: Area) {
  return (
    <>
      <h1>{name}</h1>
      <p>
        {operations.length} operations. The examples are calls that the tests of this release made; ids, secrets and
        times are replaced, long lists and texts cut. <a href="/docs/api/authentication">How to get a token</a>.
      </p>
      <div id="try" />
      <ul className="contents-of-page">
        {operations.map(({ id, summary }) => (
          <li key={id}>
            <a href={`#${id}`}>{summary}</a>
          </li>
        ))}
      </ul>
      {operations.map((operation) => (
        <OperationSection key={operation.id} {...operation} />
      ))}
    </>
  );
}

function OperationSection({
  id,
  anchors,
  method,
  path,
  summary,
  description,
  parameters,
  ...operation
}: ShownOperation) {
  const { curl, body, answer } = operation.example;
  const answerFields = operation.answer.length;
  return (
    <section
      className="operation"
      id={id}
      aria-labelledby={`${id}-title`}
      data-method={method}
      data-path={path}
      data-body={body}
    >
      {anchors.map((anchor) => (
        <i key={anchor} id={anchor} />
      ))}
      <h2 id={`${id}-title`}>
        <a href={`#${id}`}>{summary}</a>
      </h2>
      <p className="place">
        <span className={`method ${method.toLowerCase()}`}>{method}</span> <code>{path}</code>
      </p>
      <div className="beside">
        <div>
          {description.map((paragraph) => (
            <p key={paragraph}>{withCode(paragraph)}</p>
          ))}
          {parameters.length > 0 && (
            <>
              <h3>Parameters</h3>
              <Fields fields={parameters.map(({ location, ...field }) => ({ ...field, note: `in ${location}` }))} />
            </>
          )}
          <Shape title="Body" fields={operation.body} schema={operation.bodySchema} />
          {operation.answerSchema !== undefined && (
            <>
              <h3>Answer</h3>
              <p>{typeText([operation.answerSchema])}</p>
            </>
          )}
          {answerFields > 0 && (
            <details>
              <summary>
                Answer: {answerFields} {answerFields === 1 ? "field" : "fields"}
              </summary>
              <Fields fields={operation.answer} />
            </details>
          )}
        </div>
        <div className="samples">
          <h3>Request</h3>
          <Sample text={curl} />
          {answer !== undefined && (
            <>
              <h3>Answer {answer.status}</h3>
              <Sample text={answer.text} />
            </>
          )}
        </div>
      </div>
    </section>
  );
}

export function SchemasPage({ schemas }: { schemas: readonly ShownSchema[] }) {
  return (
    <>
      <h1>Schemas</h1>
      <p>Objects that several operations take or answer.</p>
      <ul className="contents-of-page">
        {schemas.map(({ name }) => (
          <li key={name}>
            <a href={schemaAddress(name)}>{name}</a>
          </li>
        ))}
      </ul>
    </>
  );
}

export function SchemaPage({ name, type, fields }: ShownSchema) {
  return (
    <>
      <h1>
        <code>{name}</code>
      </h1>
      {fields.length > 0 ? <Fields fields={fields} /> : <p>{typeText(type)}</p>}
    </>
  );
}
