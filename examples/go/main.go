package main

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
	provider, err := oidc.NewProvider(context.Background(), setting("ISSUER", "http://localhost:8080"))
	if err != nil {
		log.Fatal(err)
	}
	config := oauth2.Config{
		ClientID:     setting("CLIENT_ID", "demo-client"),
		ClientSecret: os.Getenv("CLIENT_SECRET"),
		Endpoint:     provider.Endpoint(),
		RedirectURL:  "http://localhost:3006/callback",
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
	http.HandleFunc("/callback", func(w http.ResponseWriter, r *http.Request) {
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
	log.Fatal(http.ListenAndServe("localhost:3006", nil))
}
