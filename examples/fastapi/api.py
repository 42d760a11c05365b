import os
from typing import Annotated

import httpx
from fastapi import Depends, FastAPI, HTTPException
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

app = FastAPI()
credentials = ("demo-client", os.environ["CLIENT_SECRET"])
service = httpx.AsyncClient(auth=credentials)
bearer = HTTPBearer(auto_error=False)


async def token(sent: Annotated[HTTPAuthorizationCredentials | None, Depends(bearer)]) -> dict:
    if sent:
        form = {"token": sent.credentials}
        answer = await service.post("http://localhost:8080/oauth/v2/introspect", data=form)
        answer.raise_for_status()
        if answer.json()["active"]:
            return answer.json()
    raise HTTPException(401, headers={"WWW-Authenticate": "Bearer"})


@app.get("/")
async def hello(token: Annotated[dict, Depends(token)]):
    return {"hello": token["sub"], "scope": token.get("scope")}
