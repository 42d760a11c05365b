// Applications for phones and desktops (RFC 8252), and command-line programs.
import { onLoopback, quoted, type Snippet, withEnvironment } from "./snippet";

export const flutter: Snippet = {
  id: "flutter",
  title: "Flutter · AppAuth",
  kinds: ["native"],
  addresses: { redirectUri: "com.example.demo:/callback", postLogoutRedirectUri: "com.example.demo:/signed-out" },
  install: "flutter create --org com.example demo && cd demo && flutter pub add flutter_appauth",
  run: "flutter run",
  files({ issuer, clientId, redirectUri = "com.example.demo:/callback" }) {
    const scheme = redirectUri.slice(0, redirectUri.indexOf(":"));
    const insecure = issuer.startsWith("http:")
      ? "\n      allowInsecureConnections: true, // http: on this machine only"
      : "";
    return [
      {
        name: "lib/main.dart",
        code: `import 'package:flutter/material.dart';
import 'package:flutter_appauth/flutter_appauth.dart';

const appAuth = FlutterAppAuth();

Future<bool> signIn() async {
  final tokens = await appAuth.authorizeAndExchangeCode(
    AuthorizationTokenRequest(
      ${quoted(clientId)},
      ${quoted(redirectUri)},
      issuer: ${quoted(issuer)},
      scopes: ['openid', 'profile', 'email', 'offline_access'],${insecure}
    ),
  );
  return tokens.accessToken != null;
}

void main() => runApp(const MaterialApp(home: Home()));

class Home extends StatefulWidget {
  const Home({super.key});

  @override
  State<Home> createState() => _HomeState();
}

class _HomeState extends State<Home> {
  bool isSignedIn = false;

  Future<void> enter() async {
    final isIn = await signIn();
    setState(() => isSignedIn = isIn);
  }

  @override
  Widget build(BuildContext context) {
    return Scaffold(
      body: Center(
        child: isSignedIn ? const Text('Signed in') : FilledButton(onPressed: enter, child: const Text('Sign in')),
      ),
    );
  }
}
`,
      },
      {
        name: "android/app/build.gradle.kts",
        code: `// Inside android { defaultConfig { … } }
manifestPlaceholders["appAuthRedirectScheme"] = ${quoted(scheme)}
`,
      },
      {
        name: "ios/Runner/Info.plist",
        code: `<!-- Inside the outermost <dict> -->
<key>CFBundleURLTypes</key>
<array>
  <dict>
    <key>CFBundleURLSchemes</key>
    <array><string>${scheme}</string></array>
  </dict>
</array>
`,
      },
    ];
  },
};

export const desktop: Snippet = {
  id: "desktop",
  title: "Node.js desktop or terminal · openid-client",
  kinds: ["native", "device"],
  addresses: { redirectUri: "http://127.0.0.1/callback" },
  install: "npm install openid-client",
  run: "node sign-in.mjs",
  files: ({ issuer, clientId, redirectUri }) => [
    {
      name: "sign-in.mjs",
      code: `import { once } from "node:events";
import { createServer } from "node:http";
import * as client from "openid-client";

const config = await client.discovery(
  new URL(${quoted(issuer)}),
  ${quoted(clientId)},
  undefined,
  client.None(),${onLoopback(issuer)}
);

// Any free port will do: loopback addresses match whatever their port (RFC 8252 §7.3).
const server = createServer().listen(0, "127.0.0.1");
await once(server, "listening");
const redirectUri = new URL(${quoted(redirectUri)});
redirectUri.port = server.address().port;

const codeVerifier = client.randomPKCECodeVerifier();
const state = client.randomState();
const address = client.buildAuthorizationUrl(config, {
  redirect_uri: redirectUri.href,
  scope: "openid profile email offline_access",
  code_challenge: await client.calculatePKCECodeChallenge(codeVerifier),
  code_challenge_method: "S256",
  state,
});
console.log("Open in your browser:", address.href);

const [request, response] = await once(server, "request");
response.end("You are signed in. You can close this window.");
server.close();
const tokens = await client.authorizationCodeGrant(config, new URL(request.url, redirectUri), {
  pkceCodeVerifier: codeVerifier,
  expectedState: state,
});
console.log("Signed in as", tokens.claims().sub);
`,
    },
  ],
};

export const nodeDevice: Snippet = {
  id: "node-device",
  title: "Node.js terminal · openid-client, device code",
  kinds: ["device"],
  install: "npm install openid-client",
  run: "node device.mjs",
  files: ({ issuer, clientId }) => [
    {
      name: "device.mjs",
      code: `import * as client from "openid-client";

const config = await client.discovery(
  new URL(${quoted(issuer)}),
  ${quoted(clientId)},
  undefined,
  client.None(),${onLoopback(issuer)}
);
const request = await client.initiateDeviceAuthorization(config, { scope: "openid profile email offline_access" });
console.log("Open", request.verification_uri_complete);
console.log("The page shows the code", request.user_code);
const tokens = await client.pollDeviceAuthorizationGrant(config, request);
console.log("Signed in as", tokens.claims().sub);
`,
    },
  ],
};

export const oidcAgent: Snippet = {
  id: "oidc-agent",
  title: "oidc-agent",
  kinds: ["device"],
  addresses: { redirectUri: "http://localhost:4242" },
  install: "apt-get install oidc-agent-cli",
  run: "sh account.sh && oidc-token identity",
  files: ({ issuer, clientId, redirectUri }) => [
    {
      name: "account.sh",
      code: `eval "$(oidc-agent-service use)"
oidc-gen --manual --pub --flow=device \\
  --iss ${shell(issuer)} \\
  --client-id ${shell(clientId)} \\
  --redirect-uri ${shell(redirectUri ?? "http://localhost:4242")} \\
  --scope 'openid profile offline_access' \\
  identity
`,
    },
  ],
};

export const goMachine: Snippet = {
  id: "go-machine",
  readsKey: true,
  title: "Go · x/oauth2/jwt",
  kinds: ["machine"],
  install: "go mod init demo && go get golang.org/x/oauth2",
  run: "go run .",
  files: ({ issuer }) => [
    {
      name: "main.go",
      code: `package main

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
		TokenURL:     ${quoted(`${issuer}/oauth/v2/token`)},
	}
	token, err := config.TokenSource(context.Background()).Token()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("Access token until", token.Expiry, token.AccessToken)
}
`,
    },
  ],
};

export const curlMachine: Snippet = {
  id: "curl-machine",
  title: "curl",
  kinds: ["machine"],
  install: undefined,
  run: withEnvironment("sh token.sh"),
  files: ({ issuer, clientId }) => [
    {
      name: "token.sh",
      code: `curl --fail-with-body --silent --show-error \\
  --user ${shell(clientId)}:"$CLIENT_SECRET" \\
  --data grant_type=client_credentials \\
  --data scope=openid \\
  ${shell(`${issuer}/oauth/v2/token`)}
`,
    },
  ],
};

export const curlApi: Snippet = {
  id: "curl-api",
  title: "curl",
  kinds: ["api"],
  way: "introspection",
  install: undefined,
  run: withEnvironment("TOKEN=… sh introspect.sh"),
  files: ({ issuer, clientId }) => [
    {
      name: "introspect.sh",
      code: `curl --fail-with-body --silent --show-error \\
  --user ${shell(clientId)}:"$CLIENT_SECRET" \\
  --data-urlencode token="$TOKEN" \\
  ${shell(`${issuer}/oauth/v2/introspect`)}
`,
    },
  ],
};

/** Quotes a word for a POSIX shell. */
const shell = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;
