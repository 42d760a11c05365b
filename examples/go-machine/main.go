package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"os"

	"golang.org/x/oauth2/jwt"
)

func main() {
	file, err := os.ReadFile("key.json")
	if err != nil {
		log.Fatal(err)
	}
	var key struct{ KeyID, Key, UserID string }
	if err := json.Unmarshal(file, &key); err != nil {
		log.Fatal(err)
	}
	config := jwt.Config{
		Email:        key.UserID, // iss
		Subject:      key.UserID, // sub, which is the same
		PrivateKey:   []byte(key.Key),
		PrivateKeyID: key.KeyID,
		Scopes:       []string{"openid"},
		TokenURL:     "http://localhost:8080/oauth/v2/token",
	}
	token, err := config.TokenSource(context.Background()).Token()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("Access token until", token.Expiry, token.AccessToken)
}
