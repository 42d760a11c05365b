// APIs that receive access tokens, each in two variants: token introspection (RFC 7662), and verification of JWT
// signatures (RFC 9068).
import { onLoopback, quoted, type Snippet, withEnvironment } from "./snippet";

export const expressApi: Snippet = {
  id: "express-api",
  title: "Node.js · Express, openid-client",
  kinds: ["api"],
  way: "introspection",
  install: "npm install express openid-client",
  run: "node --env-file=.env api.mjs",
  files: ({ issuer, clientId }) => [
    {
      name: "api.mjs",
      code: `import express from "express";
import * as client from "openid-client";

const config = await client.discovery(
  new URL(${quoted(issuer)}),
  ${quoted(clientId)},
  undefined,
  client.ClientSecretBasic(process.env.CLIENT_SECRET),${onLoopback(issuer)}
);

async function requireToken(request, response, next) {
  const token = /^Bearer (\\S+)$/i.exec(request.headers.authorization ?? "")?.[1];
  const answer = token ? await client.tokenIntrospection(config, token) : { active: false };
  if (!answer.active) return response.status(401).set("www-authenticate", "Bearer").end();
  request.token = answer;
  next();
}

const app = express();
app.get("/", requireToken, ({ token }, response) => {
  response.json({ hello: token.sub, scope: token.scope });
});
app.listen(Number(process.env.PORT ?? 3000), "127.0.0.1");
`,
    },
  ],
};

export const expressJwt: Snippet = {
  id: "express-jwt",
  title: "Node.js · Express, jose",
  kinds: ["api"],
  way: "jwt",
  install: "npm install express jose",
  run: "node jwt-api.mjs",
  files: ({ issuer, projectId }) => [
    {
      name: "jwt-api.mjs",
      code: `import express from "express";
import { createRemoteJWKSet, jwtVerify } from "jose";

const keys = createRemoteJWKSet(new URL(${quoted(`${issuer}/oauth/v2/keys`)}));
const rules = { issuer: ${quoted(issuer)}, audience: ${quoted(projectId)}, typ: "at+jwt" };

async function requireToken(request, response, next) {
  const token = /^Bearer (\\S+)$/i.exec(request.headers.authorization ?? "")?.[1] ?? "";
  try {
    request.token = (await jwtVerify(token, keys, rules)).payload;
  } catch {
    return response.status(401).set("www-authenticate", "Bearer").end();
  }
  next();
}

const app = express();
app.get("/", requireToken, ({ token }, response) => {
  response.json({ hello: token.sub, scope: token.scope });
});
app.listen(Number(process.env.PORT ?? 3000), "127.0.0.1");
`,
    },
  ],
};

export const fastApi: Snippet = {
  id: "fastapi",
  title: "Python · FastAPI, httpx",
  kinds: ["api"],
  way: "introspection",
  install: "pip install fastapi uvicorn httpx",
  run: withEnvironment("uvicorn api:app --port 3000"),
  files: ({ issuer, clientId }) => [
    {
      name: "api.py",
      code: `import os
from typing import Annotated

import httpx
from fastapi import Depends, FastAPI, HTTPException
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

app = FastAPI()
credentials = (${quoted(clientId)}, os.environ["CLIENT_SECRET"])
service = httpx.AsyncClient(auth=credentials)
bearer = HTTPBearer(auto_error=False)


async def token(sent: Annotated[HTTPAuthorizationCredentials | None, Depends(bearer)]) -> dict:
    if sent:
        form = {"token": sent.credentials}
        answer = await service.post(${quoted(`${issuer}/oauth/v2/introspect`)}, data=form)
        answer.raise_for_status()
        if answer.json()["active"]:
            return answer.json()
    raise HTTPException(401, headers={"WWW-Authenticate": "Bearer"})


@app.get("/")
async def hello(token: Annotated[dict, Depends(token)]):
    return {"hello": token["sub"], "scope": token.get("scope")}
`,
    },
  ],
};

export const fastApiJwt: Snippet = {
  id: "fastapi-jwt",
  title: "Python · FastAPI, PyJWT",
  kinds: ["api"],
  way: "jwt",
  install: 'pip install fastapi uvicorn "pyjwt[crypto]"',
  run: "uvicorn jwt_api:app --port 3000",
  files: ({ issuer, projectId }) => [
    {
      name: "jwt_api.py",
      code: `from typing import Annotated

import jwt
from fastapi import Depends, FastAPI, HTTPException
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

app = FastAPI()
keys = jwt.PyJWKClient(${quoted(`${issuer}/oauth/v2/keys`)})
bearer = HTTPBearer(auto_error=False)


def token(sent: Annotated[HTTPAuthorizationCredentials | None, Depends(bearer)]) -> dict:
    try:
        raw = sent.credentials if sent else ""
        if jwt.get_unverified_header(raw).get("typ") != "at+jwt":
            raise jwt.InvalidTokenError("not an access token")
        key = keys.get_signing_key_from_jwt(raw)
        return jwt.decode(
            raw,
            key,
            algorithms=["RS256", "ES256"],
            issuer=${quoted(issuer)},
            audience=${quoted(projectId)},
        )
    except jwt.PyJWTError:
        raise HTTPException(401, headers={"WWW-Authenticate": "Bearer"})


@app.get("/")
def hello(token: Annotated[dict, Depends(token)]):
    return {"hello": token["sub"], "scope": token.get("scope")}
`,
    },
  ],
};

export const goApi: Snippet = {
  id: "go-api",
  title: "Go · zitadel/oidc",
  kinds: ["api"],
  way: "introspection",
  install: "go get github.com/zitadel/oidc/v3",
  run: withEnvironment("go run ."),
  files: ({ issuer, clientId }) => [
    {
      name: "main.go",
      code: `package main

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"os"
	"strings"

	"github.com/zitadel/oidc/v3/pkg/client/rs"
	"github.com/zitadel/oidc/v3/pkg/oidc"
)

func main() {
	server, err := rs.NewResourceServerClientCredentials(context.Background(), ${quoted(issuer)}, ${quoted(clientId)}, os.Getenv("CLIENT_SECRET"))
	if err != nil {
		log.Fatal(err)
	}
	http.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		raw, isBearer := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
		if isBearer {
			token, err := rs.Introspect[*oidc.IntrospectionResponse](r.Context(), server, raw)
			if err != nil {
				http.Error(w, "the token could not be checked", http.StatusBadGateway)
				return
			}
			if token.Active {
				fmt.Fprintf(w, "Hello %s", token.Subject)
				return
			}
		}
		w.Header().Set("WWW-Authenticate", "Bearer")
		w.WriteHeader(http.StatusUnauthorized)
	})
	log.Fatal(http.ListenAndServe("127.0.0.1:3000", nil))
}
`,
    },
  ],
};

export const goJwt: Snippet = {
  id: "go-jwt",
  title: "Go · go-oidc",
  kinds: ["api"],
  way: "jwt",
  install: "go get github.com/coreos/go-oidc/v3",
  run: "go run .",
  files: ({ issuer, projectId }) => [
    {
      name: "main.go",
      code: `package main

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"strings"

	"github.com/coreos/go-oidc/v3/oidc"
)

// Whether it is an access token (RFC 9068 §4), which go-oidc leaves to its callers.
func isAccessToken(raw string) bool {
	head, _, _ := strings.Cut(raw, ".")
	decoded, err := base64.RawURLEncoding.DecodeString(head)
	var header struct{ Typ string }
	return err == nil && json.Unmarshal(decoded, &header) == nil && header.Typ == "at+jwt"
}

func main() {
	provider, err := oidc.NewProvider(context.Background(), ${quoted(issuer)})
	if err != nil {
		log.Fatal(err)
	}
	verifier := provider.Verifier(&oidc.Config{ClientID: ${quoted(projectId)}})
	http.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		raw, isBearer := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
		if isBearer && isAccessToken(raw) {
			if token, err := verifier.Verify(r.Context(), raw); err == nil {
				fmt.Fprintf(w, "Hello %s", token.Subject)
				return
			}
		}
		w.Header().Set("WWW-Authenticate", "Bearer")
		w.WriteHeader(http.StatusUnauthorized)
	})
	log.Fatal(http.ListenAndServe("127.0.0.1:3000", nil))
}
`,
    },
  ],
};
