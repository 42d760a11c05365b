// Web applications on platforms other than Node.js. Each uses the discovery document and a library, without protocol
// code of its own.
import { originOf, pathOfAddress, quoted, type Snippet, withEnvironment } from "./snippet";

const HOME = "http://localhost:3000/";

/** Returns the port of the redirect URI. */
const portOf = (redirectUri: string | undefined) => new URL(originOf(redirectUri, HOME)).port || "3000";

export const spring: Snippet = {
  id: "spring",
  title: "Java · Spring Boot",
  kinds: ["web"],
  addresses: { redirectUri: `${HOME}login/oauth2/code/identity`, postLogoutRedirectUri: HOME, hasFixedPath: true },
  install: `curl "https://start.spring.io/starter.tgz?type=maven-project&dependencies=web,oauth2-client&packageName=demo" | tar -xzf -`,
  run: "./mvnw spring-boot:run",
  files: ({ issuer, clientId, redirectUri }) => [
    {
      name: "src/main/resources/application.yaml",
      code: `# The app's redirect URI is https://<your host>/login/oauth2/code/identity
server.port: ${portOf(redirectUri)}
spring:
  config.import: optional:file:.env[.properties]
  security:
    oauth2:
      client:
        registration:
          identity:
            client-id: ${quoted(`\${CLIENT_ID:${clientId}}`)}
            client-secret: \${CLIENT_SECRET}
            scope: openid,profile,email
        provider:
          identity:
            issuer-uri: ${quoted(`\${ISSUER:${issuer}}`)}
            user-name-attribute: preferred_username
`,
    },
    {
      name: "src/main/java/demo/HomeController.java",
      code: `package demo;

import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.security.oauth2.core.oidc.user.OidcUser;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

@RestController
class HomeController {
    @GetMapping("/")
    String home(@AuthenticationPrincipal OidcUser person) {
        return "Signed in as " + person.getFullName();
    }
}
`,
    },
  ],
};

export const aspNet: Snippet = {
  id: "aspnet",
  title: "C# · ASP.NET Core",
  kinds: ["web"],
  addresses: { redirectUri: `${HOME}signin-oidc`, postLogoutRedirectUri: `${HOME}signout-callback-oidc` },
  install: "dotnet new web --force && dotnet add package Microsoft.AspNetCore.Authentication.OpenIdConnect",
  run: withEnvironment("dotnet run"),
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
        options.Authority = builder.Configuration["ISSUER"] ?? ${quoted(issuer)};
        options.ClientId = builder.Configuration["CLIENT_ID"] ?? ${quoted(clientId)};
        options.ClientSecret = builder.Configuration["CLIENT_SECRET"];
        options.ResponseType = "code";
        // With these two the answer also arrives over http: browsers keep no cookie of SameSite=None there.
        options.ResponseMode = "query";
        options.CorrelationCookie.SameSite = options.NonceCookie.SameSite = SameSiteMode.Lax;
        options.CallbackPath = ${quoted(pathOfAddress(redirectUri, "/signin-oidc"))};
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
app.Run(${quoted(originOf(redirectUri, HOME).replace(/^https:.*/, HOME))});
`,
    },
  ],
};

export const django: Snippet = {
  id: "django",
  title: "Python · Django, Authlib",
  kinds: ["web"],
  addresses: { redirectUri: `${HOME}callback`, postLogoutRedirectUri: HOME },
  ownSecrets: ["SECRET_KEY"],
  install: "pip install django authlib requests",
  run: withEnvironment("python app.py"),
  files: ({ issuer, clientId, redirectUri }) => [
    {
      name: "app.py",
      code: `import os

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
issuer = os.environ.get("ISSUER", ${quoted(issuer)})
oauth = OAuth()
oauth.register(
    name="identity",
    server_metadata_url=issuer + "/.well-known/openid-configuration",
    client_id=os.environ.get("CLIENT_ID", ${quoted(clientId)}),
    client_secret=os.environ["CLIENT_SECRET"],
    client_kwargs={"scope": "openid profile email", "code_challenge_method": "S256"},
)


def sign_in(request):
    return oauth.identity.authorize_redirect(request, ${quoted(redirectUri)})


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
    path(${quoted(pathOfAddress(redirectUri, "/callback").slice(1))}, callback),
]

if __name__ == "__main__":
    execute_from_command_line(["app.py", "runserver", "--noreload", "${portOf(redirectUri)}"])
`,
    },
  ],
};

export const go: Snippet = {
  id: "go",
  title: "Go · go-oidc",
  kinds: ["web"],
  addresses: { redirectUri: `${HOME}callback`, postLogoutRedirectUri: HOME },
  install: "go mod init demo && go get github.com/coreos/go-oidc/v3/oidc golang.org/x/oauth2",
  run: withEnvironment("go run ."),
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

func setting(name, otherwise string) string {
	if value := os.Getenv(name); value != "" {
		return value
	}
	return otherwise
}

func main() {
	provider, err := oidc.NewProvider(context.Background(), setting("ISSUER", ${quoted(issuer)}))
	if err != nil {
		log.Fatal(err)
	}
	config := oauth2.Config{
		ClientID:     setting("CLIENT_ID", ${quoted(clientId)}),
		ClientSecret: os.Getenv("CLIENT_SECRET"),
		Endpoint:     provider.Endpoint(),
		RedirectURL:  ${quoted(redirectUri)},
		Scopes:       []string{oidc.ScopeOpenID, "profile", "email"},
	}
	verifier := provider.Verifier(&oidc.Config{ClientID: config.ClientID})

	http.Handle("/", http.RedirectHandler("/sign-in", http.StatusFound))
	http.HandleFunc("/sign-in", func(w http.ResponseWriter, r *http.Request) {
		state, pkce := oauth2.GenerateVerifier(), oauth2.GenerateVerifier()
		for name, value := range map[string]string{"state": state, "pkce": pkce} {
			http.SetCookie(w, &http.Cookie{Name: name, Value: value, Path: "/", HttpOnly: true, MaxAge: 600, SameSite: http.SameSiteLaxMode})
		}
		http.Redirect(w, r, config.AuthCodeURL(state, oauth2.S256ChallengeOption(pkce)), http.StatusFound)
	})
	http.HandleFunc(${quoted(pathOfAddress(redirectUri, "/callback"))}, func(w http.ResponseWriter, r *http.Request) {
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
	log.Fatal(http.ListenAndServe("localhost:${portOf(redirectUri)}", nil))
}
`,
    },
  ],
};
