// The content of the pages of the API as plain values, made from the operations and their OpenAPI document.

export interface SchemaField {
  /** With dots for nested objects: `query.limit`. */
  name: string;
  /** Words and names of schemas, which become links. */
  type: readonly TypePart[];
  isRequired: boolean;
  description?: string;
}

/** Words, or the name of a schema on the page of schemas. */
export type TypePart = string | { schema: string };

export interface ShownOperation {
  id: string;
  /** Further anchors that lead here: those of operations that differ in a part of the address alone. */
  anchors: readonly string[];
  method: string;
  path: string;
  summary: string;
  /** Paragraphs; words between backticks are code. */
  description: readonly string[];
  parameters: readonly (SchemaField & { location: string })[];
  body: readonly SchemaField[];
  /** Undefined: the request has no body, or one whose fields are listed. */
  bodySchema?: TypePart;
  answer: readonly SchemaField[];
  answerSchema?: TypePart;
  example: ShownExample;
}

export interface ShownExample {
  /** The command. */
  curl: string;
  /** The body to begin with when it is tried; undefined: it has none. */
  body?: string;
  /** As it was answered when the tests made this call. Undefined: no answer that can be shown. */
  answer?: { status: number; text: string };
}

export interface Area {
  name: string;
  /** Part of its address. */
  anchor: string;
  operations: readonly ShownOperation[];
}

export interface ShownSchema {
  name: string;
  /** For schemas that are not objects. */
  type: readonly TypePart[];
  fields: readonly SchemaField[];
}

export interface ApiDocs {
  baseUrl: string;
  /** Of the OAuth endpoints. */
  authUrl: string;
  audienceScope: string;
  areas: readonly Area[];
  schemas: readonly ShownSchema[];
}

/** An endpoint of OAuth 2.0 or OpenID Connect. */
export interface ShownEndpoint {
  id: string;
  name: string;
  methods: string;
  path: string;
  /** Where it is defined. */
  standard: string;
  about: readonly string[];
  parameters: readonly SchemaField[];
  answer: readonly SchemaField[];
  errors: readonly { code: string; status: string; about: string }[];
  examples: readonly { title: string; request: string; answer: string }[];
}
