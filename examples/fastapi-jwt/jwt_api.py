from typing import Annotated

import jwt
from fastapi import Depends, FastAPI, HTTPException
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

app = FastAPI()
keys = jwt.PyJWKClient("http://localhost:8080/oauth/v2/keys")
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
            issuer="http://localhost:8080",
            audience="demo-project",
        )
    except jwt.PyJWTError:
        raise HTTPException(401, headers={"WWW-Authenticate": "Bearer"})


@app.get("/")
def hello(token: Annotated[dict, Depends(token)]):
    return {"hello": token["sub"], "scope": token.get("scope")}
