// The content of the API page as plain values, made from the OpenAPI document.

export interface Field {
  /** With dots for nested objects: `query.limit`. */
  name: string;
  /** Words and names of schemas, which become links. */
  type: readonly TypePart[];
  isRequired: boolean;
  description?: string;
}

/** Words, or the name of a schema on the page. */
export type TypePart = string | { schema: string };

export interface ShownOperation {
  id: string;
  method: string;
  path: string;
  summary: string;
  /** Paragraphs; words between backticks are code. */
  description: readonly string[];
  parameters: readonly (Field & { place: string })[];
  body: readonly Field[];
  /** Undefined: the request has no body. */
  bodySchema?: TypePart;
  answer: readonly Field[];
  answerSchema?: TypePart;
  curl: string;
}

export interface Chapter {
  name: string;
  /** Part of an address. */
  anchor: string;
  operations: readonly ShownOperation[];
}

export interface ShownSchema {
  name: string;
  /** For schemas that are not objects. */
  type: readonly TypePart[];
  fields: readonly Field[];
}

export interface ApiDocs {
  baseUrl: string;
  audienceScope: string;
  chapters: readonly Chapter[];
  schemas: readonly ShownSchema[];
}
