import os

from authlib.integrations.django_client import OAuth
from django.conf import settings
from django.core.management import execute_from_command_line
from django.http import JsonResponse
from django.shortcuts import redirect
from django.urls import path

settings.configure(
    DEBUG=True,
    SECRET_KEY=os.environ["SECRET_KEY"],
    ROOT_URLCONF=__name__,
    MIDDLEWARE=["django.contrib.sessions.middleware.SessionMiddleware"],
    SESSION_ENGINE="django.contrib.sessions.backends.signed_cookies",
)
issuer = os.environ.get("ISSUER", "http://localhost:8080")
oauth = OAuth()
oauth.register(
    name="identity",
    server_metadata_url=issuer + "/.well-known/openid-configuration",
    client_id=os.environ.get("CLIENT_ID", "demo-client"),
    client_secret=os.environ["CLIENT_SECRET"],
    client_kwargs={"scope": "openid profile email", "code_challenge_method": "S256"},
)


def sign_in(request):
    return oauth.identity.authorize_redirect(request, "http://localhost:3005/callback")


def callback(request):
    token = oauth.identity.authorize_access_token(request)
    request.session.cycle_key()
    request.session["person"] = dict(oauth.identity.userinfo(token=token))
    return redirect("/")


def home(request):
    person = request.session.get("person")
    return JsonResponse({"signed_in_as": person}) if person else redirect("/sign-in")


urlpatterns = [
    path("", home),
    path("sign-in", sign_in),
    path("callback", callback),
]

if __name__ == "__main__":
    execute_from_command_line(["app.py", "runserver", "--noreload", "3005"])
