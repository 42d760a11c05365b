// What the page of the API shows, as plain values: made from the OpenAPI document, which knows nothing of pages.

export interface Field {
  /** Of nested objects with dots: `query.limit`. */
  name: string;
  /** In words; a name of a schema between them is a link. */
  type: readonly TypePart[];
  isRequired: boolean;
  description?: string;
}

/** Words, or the name of a schema of the page. */
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
  /** For what is no object. */
  type: readonly TypePart[];
  fields: readonly Field[];
}

export interface ApiDocs {
  baseUrl: string;
  audienceScope: string;
  chapters: readonly Chapter[];
  schemas: readonly ShownSchema[];
}
