curl --fail-with-body --silent --show-error \
  --user 'demo-client':"$CLIENT_SECRET" \
  --data grant_type=client_credentials \
  --data scope=openid \
  'http://localhost:8080/oauth/v2/token'
