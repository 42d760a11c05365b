// The content of the API pages as plain values, generated from the operations and their OpenAPI document.

export interface SchemaField {
  /** The path, with dots for nested objects: `query.limit`. */
  name: string;
  /** Words and names of schemas, which are rendered as links. */
  type: readonly TypePart[];
  isRequired: boolean;
  description?: string;
}

/** Text, or the name of a schema on the page of schemas. */
export type TypePart = string | { schema: string };

export interface ShownOperation {
  id: string;
  /** Further anchors of this entry: those of operations that differ only in a part of the address. */
  anchors: readonly string[];
  method: string;
  path: string;
  summary: string;
  /** The paragraphs; words between backticks are code. */
  description: readonly string[];
  parameters: readonly (SchemaField & { location: string })[];
  body: readonly SchemaField[];
  /** Undefined if the request has no body, or one whose fields are listed. */
  bodySchema?: TypePart;
  answer: readonly SchemaField[];
  answerSchema?: TypePart;
  example: ShownExample;
}

export interface ShownExample {
  /** The curl command. */
  curl: string;
  /** The initial body of the form; undefined if the operation has none. */
  body?: string;
  /** The response that the tests received; undefined if it cannot be shown. */
  answer?: { status: number; text: string };
}

export interface Area {
  name: string;
  /** A segment of its address. */
  anchor: string;
  operations: readonly ShownOperation[];
}

export interface ShownSchema {
  name: string;
  /** The type of a schema that is not an object. */
  type: readonly TypePart[];
  fields: readonly SchemaField[];
}

export interface ApiDocs {
  baseUrl: string;
  /** The base URL of the OAuth endpoints. */
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
  /** The standard that defines the endpoint. */
  standard: string;
  about: readonly string[];
  parameters: readonly SchemaField[];
  answer: readonly SchemaField[];
  errors: readonly { code: string; status: string; about: string }[];
  examples: readonly { title: string; request: string; answer: string }[];
}
