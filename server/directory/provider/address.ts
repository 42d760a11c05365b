/** The addresses of providers with their credentials, by the kind of the provider. */

/** A mail server. */
export interface SmtpAddress {
  kind: "smtp";
  /** With user and password. */
  smtpUrl: string;
  keys: ServerKeys;
}

/** The credentials and keys of a mail server besides its password; each is optional. */
export interface ServerKeys {
  xoauth2?: Xoauth2Client;
  dkim?: SigningDomain;
}

/** A client of the client credentials grant (RFC 6749 §4.4) at the operator of the mail server. */
export interface Xoauth2Client {
  tokenEndpoint: string;
  scopes: readonly string[];
  clientId: string;
  clientSecret: string;
}

export interface SigningDomain {
  domain: string;
  selector: string;
  /** PKCS #8 or PKCS #1, PEM. */
  privateKey: string;
}

/** An account at Twilio, or at a service with the same API. */
export interface TwilioAddress {
  kind: "twilio";
  baseUrl: string;
  sid: string;
  token: string;
}

export interface WebhookAddress {
  kind: "http";
  endpoint: string;
  /** `whsec_` and base64. */
  signingKey: string;
}

export type ProviderAddress = SmtpAddress | TwilioAddress | WebhookAddress;
export type ProviderKind = ProviderAddress["kind"];
export type AddressOf<Kind extends ProviderKind> = Extract<ProviderAddress, { kind: Kind }>;

/** Returns the address if it is of this kind. */
export const ofKind = <Kind extends ProviderKind>(
  kind: Kind,
  address: ProviderAddress | undefined,
): AddressOf<Kind> | undefined => (address?.kind === kind ? (address as AddressOf<Kind>) : undefined);
