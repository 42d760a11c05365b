eval "$(oidc-agent-service use)"
oidc-gen --manual --pub --flow=device \
  --iss 'http://localhost:8080' \
  --client-id 'demo-client' \
  --redirect-uri 'http://localhost:4242' \
  --scope 'openid profile offline_access' \
  identity
