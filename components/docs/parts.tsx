// The components of the API pages: lists of fields, types with links, samples.
import type { ReactNode } from "react";
import type { SchemaField, TypePart } from "./model";

export const schemaAddress = (name: string): string => `/docs/api/schemas/${name}`;

export function Fields({ fields }: { fields: readonly (SchemaField & { note?: string })[] }) {
  return (
    <ul className="fields">
      {fields.map(({ name, type, isRequired, description, note }) => (
        <li key={`${note} ${name}`}>
          <code>{name}</code> <span className="note">{typeText(type)}</span>
          {note !== undefined && <span className="note"> {note}</span>}
          {isRequired && <span className="note"> required</span>}
          {description !== undefined && <p>{withCode(description)}</p>}
        </li>
      ))}
    </ul>
  );
}

export function Shape({ title, fields, schema }: { title: string; fields: readonly SchemaField[]; schema?: TypePart }) {
  if (fields.length === 0 && schema === undefined) return null;
  return (
    <>
      <h3>{title}</h3>
      {schema !== undefined && <p>{typeText([schema])}</p>}
      {fields.length > 0 && <Fields fields={fields} />}
    </>
  );
}

/** A sample. It may be wider than a phone, so it scrolls, and is focusable so that the keyboard can scroll it. */
export function Sample({ text }: { text: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard (WCAG 2.1.1)
    <pre tabIndex={0}>
      <code>{text}</code>
    </pre>
  );
}

export function typeText(parts: readonly TypePart[]): ReactNode {
  return parts.map((part, index) =>
    typeof part === "string" ? (
      part
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence never change their order
      <a key={index} href={schemaAddress(part.schema)}>
        {part.schema}
      </a>
    ),
  );
}

/** Renders words between backticks as code. */
export function withCode(text: string): ReactNode {
  return text.split("`").map((part, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence never change their order
    index % 2 === 1 ? <code key={index}>{part}</code> : part,
  );
}
