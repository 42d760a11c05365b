package main

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
	provider, err := oidc.NewProvider(context.Background(), "http://localhost:8080")
	if err != nil {
		log.Fatal(err)
	}
	verifier := provider.Verifier(&oidc.Config{ClientID: "demo-project"})
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
	log.Fatal(http.ListenAndServe("127.0.0.1:4010", nil))
}
