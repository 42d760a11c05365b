import * as client from "openid-client";

export const redirectUri = "http://localhost:3008/callback";

let discovered: Promise<client.Configuration> | undefined;

/** Reads the configuration of the provider once. */
export const identity = () =>
  (discovered ??= client.discovery(
    new URL(process.env.ISSUER ?? "http://localhost:8080"),
    process.env.CLIENT_ID ?? "demo-client",
    undefined,
    client.ClientSecretBasic(process.env.CLIENT_SECRET ?? ""),
    { execute: [client.allowInsecureRequests] }, // http: on this machine only
  ));

interface Kept {
  codeVerifier?: string;
  state?: string;
  person?: { sub: string; name?: string };
  idToken?: string;
}

/** The session in an encrypted cookie. */
export const sessionOf = (event: Parameters<typeof useSession>[0]) =>
  useSession<Kept>(event, { password: process.env.SESSION_SECRET ?? "", cookie: { sameSite: "lax" } });
