/** The OpenAPI 3.1 document of the management APIs. Its OAuth addresses begin with AUTH_URL (rule CONFIG-3). */
import type { Config } from "../../config/config";
import { operations } from "../all";
import { describeOperations } from "../openapi";

export const AUDIENCE_SCOPE = "urn:service:iam:org:project:id:service:aud";

export function openApiDocument({ baseUrl, authUrl }: Pick<Config, "baseUrl" | "authUrl">): object {
  const { paths, schemas } = describeOperations(operations);
  return {
    openapi: "3.1.0",
    info: {
      title: "Identity service",
      version: "1.0.0",
      description: "Administration of the service and of its organizations: users, apps, policies, messages.",
    },
    servers: [{ url: baseUrl }],
    security: [{ oauth: ["openid", AUDIENCE_SCOPE] }, { bearer: [] }],
    paths,
    components: {
      schemas,
      securitySchemes: securitySchemes(authUrl),
    },
  };
}

function securitySchemes(authUrl: string): object {
  return {
    bearer: { type: "http", scheme: "bearer", description: `An access token with the scope ${AUDIENCE_SCOPE}.` },
    oauth: {
      type: "oauth2",
      flows: {
        authorizationCode: {
          authorizationUrl: `${authUrl}/oauth/v2/authorize`,
          tokenUrl: `${authUrl}/oauth/v2/token`,
          scopes: { openid: "Sign in.", [AUDIENCE_SCOPE]: "Call the management APIs of this service." },
        },
      },
    },
  };
}
