// Web applications beside Node.js. Each uses the discovery document and a library, and no protocol code of its own.
import { pathOf, quoted, type Snippet } from "./snippet";

export const spring: Snippet = {
  id: "spring",
  title: "Java · Spring Boot",
  kinds: ["web"],
  install: undefined,
  run: "CLIENT_SECRET=… ./mvnw spring-boot:run",
  files: ({ issuer, clientId }) => [
    {
      name: "src/main/resources/application.yaml",
      code: `# Needs org.springframework.boot:spring-boot-starter-oauth2-client.
# The app's redirect URI is https://<your host>/login/oauth2/code/identity
spring:
  security:
    oauth2:
      client:
        registration:
          identity:
            client-id: ${quoted(clientId)}
            client-secret: \${CLIENT_SECRET}
            scope: openid,profile,email
        provider:
          identity:
            issuer-uri: ${quoted(issuer)}
            user-name-attribute: preferred_username
`,
    },
  ],
};

export const aspNet: Snippet = {
  id: "aspnet",
  title: "C# · ASP.NET Core",
  kinds: ["web"],
  install: "dotnet add package Microsoft.AspNetCore.Authentication.OpenIdConnect",
  run: "CLIENT_SECRET=… dotnet run",
  files: ({ issuer, clientId, redirectUri }) => [
    {
      name: "Program.cs",
      code: `using Microsoft.AspNetCore.Authentication.Cookies;
using Microsoft.AspNetCore.Authentication.OpenIdConnect;

var builder = WebApplication.CreateBuilder(args);
builder.Services
    .AddAuthentication(options =>
    {
        options.DefaultScheme = CookieAuthenticationDefaults.AuthenticationScheme;
        options.DefaultChallengeScheme = OpenIdConnectDefaults.AuthenticationScheme;
    })
    .AddCookie()
    .AddOpenIdConnect(options =>
    {
        options.Authority = ${quoted(issuer)};
        options.ClientId = ${quoted(clientId)};
        options.ClientSecret = Environment.GetEnvironmentVariable("CLIENT_SECRET");
        options.ResponseType = "code";
        options.CallbackPath = ${quoted(pathOf(redirectUri, "/signin-oidc"))};
        options.RequireHttpsMetadata = ${issuer.startsWith("https:")};
        options.MapInboundClaims = false;
        options.GetClaimsFromUserInfoEndpoint = true;
        options.SaveTokens = true;
        options.Scope.Add("email");
    });
builder.Services.AddAuthorization();

var app = builder.Build();
app.UseAuthentication();
app.UseAuthorization();
app.MapGet("/", (HttpContext context) => $"Signed in as {context.User.FindFirst("name")?.Value}").RequireAuthorization();
app.Run();
`,
    },
  ],
};

export const django: Snippet = {
  id: "django",
  title: "Python · Django, Authlib",
  kinds: ["web"],
  install: "pip install django authlib requests",
  run: "CLIENT_SECRET=… python manage.py runserver",
  files: ({ issuer, clientId, redirectUri }) => [
    {
      name: "views.py",
      code: `import os

from authlib.integrations.django_client import OAuth
from django.http import JsonResponse
from django.shortcuts import redirect
from django.urls import path

oauth = OAuth()
oauth.register(
    name="identity",
    server_metadata_url=${quoted(`${issuer}/.well-known/openid-configuration`)},
    client_id=${quoted(clientId)},
    client_secret=os.environ["CLIENT_SECRET"],
    client_kwargs={"scope": "openid profile email", "code_challenge_method": "S256"},
)


def sign_in(request):
    return oauth.identity.authorize_redirect(request, ${quoted(redirectUri)})


def callback(request):
    token = oauth.identity.authorize_access_token(request)
    request.session.cycle_key()
    request.session["person"] = oauth.identity.userinfo(token=token)
    return redirect("/")


def home(request):
    return JsonResponse({"signed_in_as": request.session.get("person")})


urlpatterns = [
    path("", home),
    path("sign-in", sign_in),
    path(${quoted(pathOf(redirectUri, "/callback").slice(1))}, callback),
]
`,
    },
  ],
};

export const go: Snippet = {
  id: "go",
  title: "Go · go-oidc",
  kinds: ["web"],
  install: "go get github.com/coreos/go-oidc/v3 golang.org/x/oauth2",
  run: "CLIENT_SECRET=… go run .",
  files: ({ issuer, clientId, redirectUri }) => [
    {
      name: "main.go",
      code: `package main

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"os"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
)

func main() {
	provider, err := oidc.NewProvider(context.Background(), ${quoted(issuer)})
	if err != nil {
		log.Fatal(err)
	}
	config := oauth2.Config{
		ClientID:     ${quoted(clientId)},
		ClientSecret: os.Getenv("CLIENT_SECRET"),
		Endpoint:     provider.Endpoint(),
		RedirectURL:  ${quoted(redirectUri)},
		Scopes:       []string{oidc.ScopeOpenID, "profile", "email"},
	}
	verifier := provider.Verifier(&oidc.Config{ClientID: config.ClientID})

	http.HandleFunc("/sign-in", func(w http.ResponseWriter, r *http.Request) {
		state, pkce := oauth2.GenerateVerifier(), oauth2.GenerateVerifier()
		for name, value := range map[string]string{"state": state, "pkce": pkce} {
			http.SetCookie(w, &http.Cookie{Name: name, Value: value, Path: "/", HttpOnly: true, MaxAge: 600, SameSite: http.SameSiteLaxMode})
		}
		http.Redirect(w, r, config.AuthCodeURL(state, oauth2.S256ChallengeOption(pkce)), http.StatusFound)
	})
	http.HandleFunc(${quoted(pathOf(redirectUri, "/callback"))}, func(w http.ResponseWriter, r *http.Request) {
		state, err := r.Cookie("state")
		pkce, pkceErr := r.Cookie("pkce")
		if err != nil || pkceErr != nil || r.URL.Query().Get("state") != state.Value {
			http.Error(w, "start again at /sign-in", http.StatusBadRequest)
			return
		}
		token, err := config.Exchange(r.Context(), r.URL.Query().Get("code"), oauth2.VerifierOption(pkce.Value))
		if err != nil {
			http.Error(w, "the code was refused", http.StatusBadRequest)
			return
		}
		raw, _ := token.Extra("id_token").(string)
		idToken, err := verifier.Verify(r.Context(), raw)
		if err != nil {
			http.Error(w, "the id_token was refused", http.StatusBadRequest)
			return
		}
		fmt.Fprintf(w, "Signed in as %s", idToken.Subject)
	})
	log.Fatal(http.ListenAndServe("127.0.0.1:3000", nil))
}
`,
    },
  ],
};
