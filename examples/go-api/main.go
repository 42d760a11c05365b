package main

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
	server, err := rs.NewResourceServerClientCredentials(context.Background(), "http://localhost:8080", "demo-client", os.Getenv("CLIENT_SECRET"))
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
	log.Fatal(http.ListenAndServe("127.0.0.1:4003", nil))
}
