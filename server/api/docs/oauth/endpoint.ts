/** The description of the provider's endpoints as short rows, which become the fields that the page shows. */
import type { SchemaField, ShownEndpoint } from "../../../../components/docs/model";

export type Endpoint = Omit<ShownEndpoint, "examples">;

/** An exchange with an endpoint of OAuth 2.0 or OpenID Connect. */
export interface OAuthExample {
  endpoint: string;
  title: string;
  request: string;
  answer: string;
}

/** Name, type, meaning. A name with `*` is required. */
export type Row = readonly [name: string, type: string, description: string];

export const fields = (rows: readonly Row[]): SchemaField[] =>
  rows.map(([name, type, description]) => ({
    name: name.replace("*", ""),
    type: [type],
    isRequired: name.endsWith("*"),
    description,
  }));

/** Converts rows of code, status and reason. */
export const errors = (rows: readonly Row[]): ShownEndpoint["errors"] =>
  rows.map(([code, status, about]) => ({ code, status, about }));

/** The parameters of client authentication. */
export const CLIENT: readonly Row[] = [
  [
    "authorization",
    "header",
    "`Basic` with client id and secret, both form-encoded, for clients with a secret (client_secret_basic).",
  ],
  ["client_id", "string", "The client, where the header does not name it: public clients, and client_secret_post."],
  ["client_secret", "string", "The secret in the form (client_secret_post). One way of the three, never two."],
  [
    "client_assertion",
    "JWT",
    "Signed by the client's key (private_key_jwt): iss and sub are the client, aud is the issuer.",
  ],
  [
    "client_assertion_type",
    "string",
    "`urn:ietf:params:oauth:client-assertion-type:jwt-bearer`, with client_assertion.",
  ],
];

export const CLIENT_ERRORS: readonly Row[] = [
  ["invalid_request", "400", "A parameter is missing, repeated or too long, or there are two ways of authentication."],
  ["invalid_client", "401", "The client is not known, or its secret or assertion is wrong."],
];
